import type { Inputs } from '../inputs/inputs.ts';
import { readExpiry } from '../outcomes/facts.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { frameBody } from '../service/body.ts';
import type { FilePart } from '../service/body.ts';
import { locateOperation, nameHost } from '../service/operations.ts';
import { createTraceId } from '../service/request.ts';
import { formatBytes } from '../units.ts';
import type { UploadTask } from '../upload/upload.ts';
import type { ReadyScan } from './scan-result.ts';

/** The upload of a scan whose files are open, and what is known of it. */
export function makeTask(
  { entry, plan }: ReadyScan,
  files: readonly FilePart[],
  inputs: Inputs,
): UploadTask {
  const { credential, headers, proxy, tls, retries, stallMs } = inputs;
  const baseUrl = requireInput(inputs.baseUrl);
  const url = locateOperation(baseUrl, plan.operation);
  const body = frameBody(files, requireInput(entry.scanKey));
  const settings = {
    origin: url.origin,
    hostname: url.hostname,
    host: nameHost(url),
    address: url.href,
    basePath: baseUrl.pathname,
    isSecure: url.protocol === 'https:',
    bodyBytes: body.length,
    files: describeFiles(plan),
    hasParts: files.length > 1,
    warnings: plan.parts.flatMap(({ warnings = [] }) => warnings),
    traceId: createTraceId(),
    credentialKind: credential.kind,
    tokenExpiry: credential.kind === 'token' ? readExpiry(credential.value) : undefined,
    hasOwnCa: tls.ca !== undefined,
    hasClientCertificate: tls.cert !== undefined,
    proxyHost: proxy?.url.host,
    retries,
  };
  return { url, body, headers, stallMs, settings };
}

/** The files of an upload with their sizes. */
export function describeFiles({ parts }: UploadPlan): string {
  return parts.map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`).join(', ');
}

/** An input that only a dry run may lack. */
export function requireInput<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new TypeError('The upload lacks an input that only a dry run may lack.');
}
