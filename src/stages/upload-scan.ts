import type { Inputs } from '../inputs/inputs.ts';
import type { UploadPlan } from '../plan/plan.ts';
import type { ReadyScan } from './prepare.ts';
import { explainError, explainUpload } from '../results/failure.ts';
import type { Failure } from '../results/failure.ts';
import type { Log } from '../report/log.ts';
import { narrateUpload } from '../report/narrate.ts';
import type { ScanResult } from '../results/scan-result.ts';
import { formatBytes } from '../units.ts';
import { createAgent } from '../service/agent.ts';
import { makeAuthenticate } from '../service/auth.ts';
import { frameBody } from '../service/body.ts';
import type { Body, FilePart } from '../service/body.ts';
import { locateOperation, nameHost } from '../service/operations.ts';
import { createTraceId } from '../service/request.ts';
import type { Schedule } from '../upload/schedule.ts';
import type { UploadFacts } from '../outcomes/advice.ts';
import { upload } from '../upload/upload.ts';
import type { SharedState, Upload } from '../upload/upload.ts';
import { joinLines } from '../text.ts';

/** What the uploads of a step share. */
export function makeShared(
  { baseUrl, credential, proxy, stallMs, tls }: Inputs,
  schedule: Schedule,
  signal: AbortSignal,
  log: Log,
): SharedState {
  const agent = createAgent(requireInput(baseUrl), tls, proxy);
  const protect = (token: string): void => log.protect(token);
  const authenticate = makeAuthenticate(credential, tls, stallMs, signal, protect);
  return { agent, schedule, authenticate, signal };
}

/** Uploads a scan whose files are open. */
export async function uploadScan(
  scan: ReadyScan,
  parts: readonly FilePart[],
  inputs: Inputs,
  shared: SharedState,
  log: Log,
): Promise<ScanResult> {
  const { headers, stallMs } = inputs;
  const url = locateOperation(requireInput(inputs.baseUrl), scan.plan.operation);
  const body = frameBody(parts, requireInput(scan.entry.scanKey));
  const settings = gatherSettings(scan.plan, url, body, inputs);
  const task = { url, body, headers, stallMs, settings };
  const ended = await upload(task, shared, narrateUpload(settings, log));
  const { result, digests, last } = ended;
  if (result === 'accepted') {
    log.info(`The service accepted ${settings.files}.`);
    const { says = [], warnings = [] } = last.response ?? {};
    for (const text of says) log.info(`The service says: ${joinLines(text)}`);
    if (warnings.length > 0) log.warning('Scan upload (service)', warnings.join('\n'));
  }
  return { ...scan, upload: ended, result, digests, failure: explain(ended) };
}

/** An error in our words must not change what is known of the upload. */
function explain(ended: Upload): Failure | undefined {
  try {
    return explainUpload(ended);
  } catch (error) {
    return explainError(error);
  }
}

function gatherSettings(
  { parts }: UploadPlan,
  url: URL,
  body: Body,
  { credential, proxy, tls, retries, baseUrl: base }: Inputs,
): UploadFacts {
  return {
    origin: url.origin,
    hostname: url.hostname,
    host: nameHost(url),
    address: url.href,
    basePath: base?.pathname ?? '',
    isSecure: url.protocol === 'https:',
    bodyBytes: body.length,
    files: parts.map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`).join(', '),
    warnings: parts.flatMap(({ warnings = [] }) => warnings),
    traceId: createTraceId(),
    credentialKind: credential.kind,
    hasOwnCa: tls.ca !== undefined,
    hasClientCertificate: tls.cert !== undefined,
    proxyHost: proxy?.url.host,
    retries,
  };
}

/** An input that only a dry run may lack. */
function requireInput<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new TypeError('The upload lacks an input that only a dry run may lack.');
}
