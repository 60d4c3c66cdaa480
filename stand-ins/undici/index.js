// @actions/http-client imports undici for getAgentDispatcher(), which serves fetch(). This action
// sends through node:http(s) and getAgent() only, so undici would be 0.9 MB and 12-20 ms of start
// for nothing. package.json's "overrides" puts this file in its place.
export class ProxyAgent {
  constructor() {
    throw new Error('undici is not part of this action: use getAgent(), not getAgentDispatcher()');
  }
}
