import { once } from 'node:events';
import { Busboy } from '@fastify/busboy';
import { findUnknownCommand, parseCommand } from '../../../local/step/commands.ts';
import type { ParsedCommand } from '../../../local/step/commands.ts';
import type { StepRun } from '../../../local/step/index.ts';
import type { Peer } from '../../support/peer.ts';
import {
  countAttempts,
  listOutputTexts,
  readResults,
  readResultsText,
} from '../../support/run-action.ts';
import { SCAN_KEY } from '../../support/samples.ts';
import { listDeclared } from '../../support/workflows.ts';
import type { FaultCase, Scene } from './case.ts';
import { MARKER, findLeaks } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** How long a step may take after the time limit, or after a signal, by the promise. */
const GRACE_MS = 2000;
/** How much later a process may start or end on a busy machine; one that hangs takes much longer. */
const BUSY_MS = 3000;

const OUTPUTS = listDeclared('outputs').join();

/** A run, and when it was over by `performance.now()`. */
export interface Finished {
  readonly run: StepRun;
  readonly endedAt: number;
  readonly timeLimitMs: number;
}

/** The broken promises of a run, and the missing results of this case. */
export async function findViolations(
  fault: FaultCase,
  scene: Scene,
  finished: Finished,
): Promise<readonly string[]> {
  const { run } = finished;
  const broken = {
    ...(await checkPromise(scene, run)),
    ...checkEnd(scene, finished),
    ...checkReport(run),
    ...checkLog(run),
    ...checkExpected(fault, scene, run),
  };
  const problems = Object.entries(broken).flatMap(([problem, isSo]) => (isSo ? [problem] : []));
  return [...problems, ...checkSecrecy(scene, run), ...(fault.check?.(scene, run) ?? [])];
}

/** Sentences, and whether they are so. */
type Problems = Readonly<Record<string, boolean>>;

/** The exit code is 0 exactly if the service has every byte and sent a complete success. */
async function checkPromise({ server, sent }: Scene, run: StepRun): Promise<Problems> {
  const accepting = server.peers.filter(({ accepted }) => accepted);
  const proofs = await Promise.all(accepting.map((peer) => gotUpload(peer, sent)));
  const isUploaded = proofs.includes(true);
  const { uploaded, result } = run.outputs;
  return {
    [`exit ${run.exitCode}, while the upload is ${isUploaded ? 'accepted' : 'not accepted'}`]:
      (run.exitCode === 0) !== isUploaded,
    [`uploaded=${uploaded}, which is not so`]: uploaded !== String(isUploaded),
    [`result=${result}, which is not so`]: (result === 'accepted') !== isUploaded,
  };
}

/** Whether a connection carried the whole form and nothing else: the scan key, and the file, byte by byte. */
async function gotUpload(peer: Peer, { filename: name, content }: Scene['sent']): Promise<boolean> {
  const { body } = peer;
  if (body.length === 0 || String(body.length) !== peer.header('content-length')) return false;
  const heads: string[] = [];
  const chunks: Buffer[] = [];
  try {
    const headers = { 'content-type': peer.header('content-type') ?? '' };
    const parser = new Busboy({ headers, preservePath: true });
    parser.on('field', (field, value) => heads.push(`${field}=${value}`));
    parser.on('file', (part, stream, filename, _encoding, type) => {
      heads.push(`${part}=${filename} ${type}`);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    const finished = once(parser, 'finish');
    parser.end(body);
    await finished;
  } catch {
    return false;
  }
  const expected = [`ScanKey=${SCAN_KEY}`, `ScanJsonFile=${name} application/octet-stream`];
  return heads.join('\n') === expected.join('\n') && Buffer.concat(chunks).equals(content);
}

function checkEnd({ cancelledAt }: Scene, { run, endedAt, timeLimitMs }: Finished): Problems {
  const afterSignalMs = cancelledAt === undefined ? 0 : endedAt - cancelledAt;
  return {
    'it had to be killed': run.timedOut,
    [`it was ended by ${run.signal}`]: run.signal !== null,
    [`it took ${run.durationMs} ms`]: run.durationMs > timeLimitMs + GRACE_MS + BUSY_MS,
    [`it went on for ${afterSignalMs} ms after the signal`]: afterSignalMs > GRACE_MS + BUSY_MS,
  };
}

/** One error on failure, none on success; every output set, and no other; results that agree with them. */
function checkReport(run: StepRun): Problems {
  const errors = run.annotations.filter(({ level }) => level === 'error');
  const titles = errors.map(({ title }) => title);
  const { uploaded, result, error = '', reason = '' } = run.outputs;
  const isAccepted = run.exitCode === 0;
  const told = [uploaded, result, reason || null, error || null].join();
  const results = readResults(run).map((scan) =>
    [scan.uploaded, scan.result, scan.reason, scan.error].join(),
  );
  return {
    [`${errors.length} error annotations`]: errors.length !== (isAccepted ? 0 : 1),
    [`outputs: ${Object.keys(run.outputs).join(', ')}`]:
      Object.keys(run.outputs).toSorted().join() !== OUTPUTS,
    [`titles: ${titles.join(', ')}`]: titles.some((title) => title !== makeTitle(run)),
    [`error output: '${error}'`]: (error === '') !== isAccepted,
    [`reason output: '${reason}'`]: (reason === '') !== isAccepted,
    [`results: ${readResultsText(run)}`]: results.length > 0 && results.join('\n') !== told,
    'no summary': !run.summary.includes('Scan upload'),
    [`the process wrote to stderr: ${run.stderr.slice(0, 200)}`]: run.stderr !== '',
  };
}

/** Result and status of a failure, or its reason if the status does not say it. */
function makeTitle({ outputs }: StepRun): string {
  const { result = '', reason = '', 'status-code': status = '' } = outputs;
  if (reason === 'cancelled') return 'Scan upload cancelled';
  const isMeant = /^[^2]/.test(status) || (result === 'rejected' && reason !== 'web-page');
  return `Scan upload ${result} (${isMeant ? status : reason})`.replaceAll('-', ' ');
}

/** One line of the log has the result of the scan, and the error follows it. */
function checkLog({ stdout }: StepRun): Problems {
  const lines = stdout.split('\n');
  const ends = lines.filter((line) => /^Result: |^::error /.test(line));
  const results = ends.filter((line) => line.startsWith('Result: ')).length;
  return {
    [`${results} result lines`]: results !== 1,
    'the error stands before the result line': ends[0]?.startsWith('::error ') === true,
  };
}

function checkExpected({ expected }: FaultCase, { server }: Scene, run: StepRun): Problems {
  const { outputs, exitCode } = run;
  const { result = '', reason = '', error, 'status-code': code } = outputs;
  const results: readonly string[] = [expected.result].flat();
  const reasons: readonly string[] = [expected.reason].flat();
  const [attempts, connections] = [countAttempts(run), server.connections()];
  return {
    [`result=${result} (${error})`]: !results.includes(result),
    [`reason=${reason} (${error})`]: !reasons.includes(reason),
    [`exit code ${exitCode}`]: exitCode !== 0 && exitCode !== (expected.exitCode ?? 1),
    [`status-code=${code}`]: code !== (expected.status ?? code),
    [`${attempts} attempts`]: attempts !== (expected.attempts ?? attempts),
    [`${connections} connections`]: connections !== (expected.connections ?? connections),
  };
}

function checkSecrecy({ secrets, baits }: Scene, run: StepRun): readonly string[] {
  const leaks = listSurfaces(run).flatMap((text) => findLeaks(text, secrets));
  const isForeign = (line: string): boolean => {
    const command = readCommand(line);
    return command !== undefined && !isOwn(command, secrets);
  };
  const outputs = listOutputTexts(run).flatMap(splitOutput);
  return [
    ...new Set(leaks.map((name) => `leaked: ${name}`)),
    ...listLines(run)
      .filter(isForeign)
      .map((line) => `foreign command: ${line.slice(0, 200)}`),
    ...outputs.filter(readCommand).map((line) => `a command in an output: ${line.slice(0, 200)}`),
    ...baits.flatMap((bait) => (bait.connections() > 0 ? ['another server was contacted'] : [])),
  ];
}

/** What the runner reads, or could read, as a command. */
function readCommand(line: string): ParsedCommand | undefined {
  return parseCommand(line) ?? findUnknownCommand(line);
}

/** What a run wrote, as lines, as the runner reads them. */
function listLines({ stdout, stderr }: StepRun): readonly string[] {
  return [stdout, stderr].flatMap(splitOutput);
}

function splitOutput(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Everything that a run showed except the masks, which the runner hides; escaped and unescaped. */
function listSurfaces(run: StepRun): readonly string[] {
  const shown = run.commands.filter(({ command }) => command !== 'add-mask');
  const lines = listLines(run).filter((line) => !line.startsWith('::add-mask::'));
  const data = shown.flatMap(({ data: text, properties }) => [text, ...Object.values(properties)]);
  return [lines.join('\n'), ...data, run.summary, ...listOutputTexts(run)];
}

/** Whether a command is one that the action intended. */
function isOwn({ command, properties, data }: ParsedCommand, { maskable }: Secrets): boolean {
  const names = Object.keys(properties).join();
  // Debug lines of the toolkit's modules, which the runner hides without debug logging.
  if (command === 'debug') return names === '' && !data.startsWith(MARKER);
  if (command === 'add-mask') {
    const isSecret = maskable.some((text) => text.includes(data) || data.includes(text));
    return names === '' && isSecret && data.length >= 8;
  }
  const { title = '' } = properties;
  const isAnnotation = /^(?:error|warning|notice)$/.test(command) && names === 'title';
  return isAnnotation && /^Scan (?:upload|file)\b/.test(title) && !title.includes(MARKER);
}
