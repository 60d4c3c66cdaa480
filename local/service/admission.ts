import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { makeProblem, makeTooLarge, Refusal } from './reply.ts';
import type { Operation, ServiceOptions } from './types.ts';

/** Name of the text field that carries the scan's UUID in every operation. */
export const SCAN_KEY_PART = 'ScanKey';

const OPERATIONS: readonly Operation[] = [
  { name: 'upload-file', fileParts: ['ScanJsonFile'], jsonPart: 'ScanJsonFile' },
  { name: 'upload-multiple-files', fileParts: ['DependenciesCDX', 'VulnerabilitiesTool'] },
];

/** The operation at a request target (query ignored), or undefined when there is none. */
function findOperation(target: string, prefix: string): Operation | undefined {
  const [path] = target.split('?', 1);
  return OPERATIONS.find(({ name }) => path === `${prefix}/v1/scanner/${name}`);
}

/**
 * The operation that a request is for. Throws a Refusal for a wrong path, method, credential,
 * content type or declared length, in ASP.NET Core's order, all before the body is sent.
 */
export function admit(request: IncomingMessage, options: ServiceOptions): Operation {
  const { headers, method, url = '' } = request;
  const operation = findOperation(url, options.prefix ?? '');
  if (operation === undefined) throw new Refusal({ status: 404 });
  if (method !== 'POST') throw new Refusal({ status: 405, headers: { Allow: 'POST' } });
  checkCredential(headers, options);
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(makeProblem(415));
  }
  const { maxBodyBytes = Infinity } = options;
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) {
    throw new Refusal(makeTooLarge(maxBodyBytes));
  }
  return operation;
}

function checkCredential(headers: IncomingHttpHeaders, options: ServiceOptions): void {
  const { token, tokenHeader = 'Authorization' } = options;
  const scheme = /authorization$/i.test(tokenHeader) ? 'Bearer' : '';
  const { tokenPrefix = scheme } = options;
  const sent = headers[tokenHeader.toLowerCase()];
  const wanted = tokenPrefix === '' ? token : `${tokenPrefix} ${token}`;
  if (token === undefined || sent === wanted) return;
  const error = ' error="invalid_token", error_description="The token is not valid"';
  const challenge = `${tokenPrefix || 'ApiKey'}${sent === undefined ? '' : error}`;
  throw new Refusal({ status: 401, headers: { 'WWW-Authenticate': challenge } });
}
