import * as http from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { HttpClient } from '@actions/http-client';
import { isObject, tryJson } from '../json.ts';
import type { IdTokenSource, TlsMaterial } from './settings.ts';
import { VERSION } from '../version.ts';
import { StepError } from '../errors.ts';
import { createAgent, omitClient } from './agent.ts';
import type { FetchIdToken } from './auth.ts';
import type { EndableOptions } from './request.ts';

/** Far more than a token has: a header with it must fit into what services accept. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Fetches OIDC tokens of the job from `source`, which is undefined without `id-token: write`. Calls
 * `protect` with each token before returning it.
 */
export function makeIdTokenFetcher(
  source: IdTokenSource | undefined,
  tls: TlsMaterial,
  protect: (token: string) => void,
): FetchIdToken {
  let agent: http.Agent | undefined;
  return async (audience, ended) => {
    if (source === undefined) {
      throw new StepError(
        'oidc-permission',
        'The job may not request an OIDC token: ACTIONS_ID_TOKEN_REQUEST_URL or ACTIONS_ID_TOKEN_REQUEST_TOKEN is not set.',
        'Give the job the permission `id-token: write`; of a reusable workflow, the job that calls it too.',
      );
    }
    agent ??= createAgent(source.url, omitClient(tls), source.proxy);
    const response = await request(source, audience, agent, ended);
    const token = parseValue(await readBody(response));
    protect(token);
    return token;
  };
}

/** Sends the request of the toolkit's `getIDToken`, but follows no redirect and repeats nothing. */
async function request(
  { url, token }: IdTokenSource,
  audience: string,
  agent: http.Agent,
  ended: AbortSignal,
): Promise<http.IncomingMessage> {
  const asked = new URL(url);
  asked.search += `&audience=${encodeURIComponent(audience)}`;
  const options: EndableOptions = {
    ...urlToHttpOptions(asked),
    agent,
    ended,
    signal: ended,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      'User-Agent': `scan-upload-action/${VERSION}`,
    },
  };
  // Not get(): it would first make an agent of its own, by its own reading of the proxy variables.
  const { message } = await new HttpClient().requestRaw(
    // The agent decides whether it is http or https.
    { options, parsedUrl: asked, httpModule: http },
    null,
  );
  return message;
}

/** Reads the body itself: `readBody()` has no limit, and never settles if the body is truncated. */
async function readBody(response: http.IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`the identity provider responded with ${response.statusCode}`);
  }
  const body: AsyncIterable<Buffer> = response;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      throw new Error("the identity provider's response has more than 64 KiB");
    }
  }
  return Buffer.concat(chunks).toString();
}

/** The token in the response; empty if there is none. */
function parseValue(text: string): string {
  const parsed = tryJson(text);
  const value = isObject(parsed) && 'value' in parsed ? parsed.value : undefined;
  return typeof value === 'string' ? value : '';
}
