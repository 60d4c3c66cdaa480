// @actions/core imports @actions/http-client for identity tokens, with all that it needs to speak TLS.
// Most steps ask for no such token: this hands on to the package itself once one does. package.json's
// "overrides" puts it in its place for @actions/core alone.
export class HttpClient {
  #settings;

  constructor(...settings) {
    this.#settings = settings;
  }

  async getJson(url) {
    // Not itself: the name in its package.json is another.
    const { HttpClient: Client } = await import('@actions/http-client');
    return new Client(...this.#settings).getJson(url);
  }
}
