import type { StepRun } from '../../../local/step/index.ts';
import { countAttempts, readResults, readResultsText } from '../../support/results.ts';
import { listDeclared } from '../../support/workflows.ts';
import { findForeignCommands, findOutputCommands, listSurfaces } from './commands.ts';
import { findLeaks } from './secrets.ts';
import type { Scene } from './scene.ts';
import type { FaultCase } from './types.ts';
import { gotUpload } from './upload.ts';

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
  return [
    ...(await checkPromise(scene, run)),
    ...checkEnd(scene, finished),
    ...checkSecrecy(scene, run),
    ...checkReport(run),
    ...checkResultLine(run),
    ...checkExpected(fault, scene, run),
    ...(fault.check?.(scene, run) ?? []),
  ];
}

/** The exit code is 0 exactly if the service has every byte and sent a complete success. */
async function checkPromise({ server, sent }: Scene, run: StepRun): Promise<readonly string[]> {
  const accepting = server.peers.filter(({ accepted }) => accepted);
  const proofs = await Promise.all(accepting.map((peer) => gotUpload(peer, sent)));
  const isUploaded = proofs.includes(true);
  return listProblems({
    [`exit ${run.exitCode}, while the upload is ${isUploaded ? 'accepted' : 'not accepted'}`]:
      (run.exitCode === 0) !== isUploaded,
    [`uploaded=${run.outputs['uploaded']}, which is not so`]:
      run.outputs['uploaded'] !== String(isUploaded),
    [`result=${run.outputs['result']}, which is not so`]:
      (run.outputs['result'] === 'accepted') !== isUploaded,
  });
}

function checkEnd(
  { cancelledAt }: Scene,
  { run, endedAt, timeLimitMs }: Finished,
): readonly string[] {
  const afterSignalMs = cancelledAt === undefined ? 0 : endedAt - cancelledAt;
  return listProblems({
    'it had to be killed': run.timedOut,
    [`it was ended by ${run.signal}`]: run.signal !== null,
    [`it took ${run.durationMs} ms`]: run.durationMs > timeLimitMs + GRACE_MS + BUSY_MS,
    [`it went on for ${afterSignalMs} ms after the signal`]: afterSignalMs > GRACE_MS + BUSY_MS,
  });
}

function checkSecrecy({ secrets, baits }: Scene, run: StepRun): readonly string[] {
  const leaks = listSurfaces(run).flatMap((text) => findLeaks(text, secrets));
  const foreign = findForeignCommands(run, secrets);
  return [
    ...new Set(leaks.map((name) => `leaked: ${name}`)),
    ...foreign.map((line) => `foreign command: ${line}`),
    ...findOutputCommands(run).map((line) => `a command in an output: ${line.slice(0, 200)}`),
    ...baits.flatMap((bait) => (bait.connections() > 0 ? ['another server was contacted'] : [])),
  ];
}

/** One error on failure, none on success; every output set, and no other. */
function checkReport(run: StepRun): readonly string[] {
  const errors = run.annotations.filter(({ level }) => level === 'error');
  const titles = errors.map(({ title }) => title);
  const { error = '', reason = '' } = run.outputs;
  return listProblems({
    [`${errors.length} error annotations`]: errors.length !== (run.exitCode === 0 ? 0 : 1),
    [`outputs: ${Object.keys(run.outputs).join(', ')}`]:
      Object.keys(run.outputs).toSorted().join() !== OUTPUTS,
    [`titles: ${titles.join(', ')}`]: titles.some((title) => title !== makeTitle(run)),
    [`error output: '${error}'`]: (error === '') !== (run.exitCode === 0),
    [`reason output: '${reason}'`]: (reason === '') !== (run.exitCode === 0),
    [`results: ${readResultsText(run)}`]: !agrees(run),
    'no summary': !run.summary.includes('Scan upload'),
    [`the process wrote to stderr: ${run.stderr.slice(0, 200)}`]: run.stderr !== '',
  });
}

/** Result and status of a failure, or its reason if the status does not say it. */
function makeTitle({ outputs }: StepRun): string {
  const { result = '', reason = '', 'status-code': status = '' } = outputs;
  if (reason === 'cancelled') return 'Scan upload cancelled';
  const isMeant = /^[^2]/.test(status) || result === 'rejected';
  return `Scan upload ${result.replace('-', ' ')} (${isMeant ? status : reason})`;
}

/** One line of the log has the result of the scan, and the error follows it. */
function checkResultLine({ stdout }: StepRun): readonly string[] {
  const lines = stdout.split('\n');
  const results = lines.filter((line) => line.startsWith('Result: ')).length;
  const end = lines.findIndex((line) => line.startsWith('Result: '));
  const error = lines.findIndex((line) => line.startsWith('::error '));
  return listProblems({
    [`${results} result lines`]: results !== 1,
    'the error stands before the result line': error >= 0 && error < end,
  });
}

/** Whether the file of `results-path`, with one scan or none, agrees with the outputs. */
function agrees(run: StepRun): boolean {
  const { uploaded, result, reason, error = '' } = run.outputs;
  const scans = readResults(run);
  const texts = scans.map((scan) => `${scan.uploaded} ${scan.result} ${scan.reason} ${scan.error}`);
  return texts.every(
    (text) =>
      text === `${uploaded} ${result} ${reason || null} ${error || null}` && texts.length === 1,
  );
}

function checkExpected(
  { expected }: FaultCase,
  { server }: Scene,
  run: StepRun,
): readonly string[] {
  const { outputs, exitCode } = run;
  const { result = '', reason = '' } = outputs;
  const results: readonly string[] = [expected.result].flat();
  const reasons: readonly string[] = [expected.reason].flat();
  const { status, attempts, connections } = expected;
  return listProblems({
    [`result=${result} (${outputs['error']})`]: !results.includes(result),
    [`reason=${reason} (${outputs['error']})`]: !reasons.includes(reason),
    [`exit code ${exitCode}`]: exitCode !== 0 && exitCode !== (expected.exitCode ?? 1),
    [`status-code=${outputs['status-code']}`]:
      status !== undefined && outputs['status-code'] !== status,
    [`${countAttempts(run)} attempts`]: attempts !== undefined && countAttempts(run) !== attempts,
    [`${server.connections()} connections`]:
      connections !== undefined && server.connections() !== connections,
  });
}

/** The names of the conditions that are true. */
function listProblems(problems: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(problems).flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}
