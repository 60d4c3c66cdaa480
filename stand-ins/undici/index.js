// @actions/http-client imports undici for getAgentDispatcher(), which serves fetch(). This action
// only uses requestRaw(), so undici would only add 0.9 MB and 12-20 ms at every start.
// "overrides" in package.json replaces undici with this file.
export class ProxyAgent {
  constructor() {
    throw new Error(
      'undici is not part of this action: use requestRaw(), not getAgentDispatcher()',
    );
  }
}
