import { join } from 'node:path';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import type { InspectedFile } from '../../src/formats/inspect.ts';
import { Faults } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import type { StepLimits } from '../../src/lifecycle.ts';
import type { PlannedScan, ScanResult } from '../../src/outcomes/scan-result.ts';
import type { UploadTask } from '../../src/outcomes/task.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import type { Credential } from '../../src/service/auth.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import type { Operation } from '../../src/service/operations.ts';
import { prepareScans } from '../../src/stages/prepare.ts';
import { uploadScans } from '../../src/stages/upload.ts';
import type { UploadEvents } from '../../src/upload/upload-scan.ts';
import { setInputs } from './inputs.ts';
import type { Texts } from './inputs.ts';
import { SCAN_KEY, KIB, makeFolder, REPORT, makeKey } from './workspace.ts';

/** What a test says of an upload. */
export interface TaskSpec {
  readonly isSecure?: boolean;
  readonly hostname?: string;
  readonly basePath?: string;
  readonly bodyBytes?: number;
  readonly hasParts?: boolean;
  readonly credentialKind?: Credential['kind'];
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly token?: string;
  readonly tokenHeader?: string;
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly isExtraCaMissing?: boolean;
  readonly isProxied?: boolean;
  readonly isMisspelledException?: boolean;
}

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
export const BODY_BYTES = 1500;
export const RETRIES = 8;
export const PROXIED: TaskSpec = { isProxied: true };

export const FILE = {
  path: '/workspace/scan.json',
  name: 'scan.json',
  displayPath: 'scan.json',
  size: 1229,
  mtimeNs: 0n,
  identity: '1:1',
  input: 'files',
  directory: '/workspace',
  content: { format: 'json', inspected: 'full' },
} as const;

/** The operation of a name. */
export function getOperation(name: Operation['name']): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  return operation;
}

/** The upload of a file to https://scan.example, unless the test says otherwise. */
export function makeTask(spec: TaskSpec = {}): UploadTask {
  const { isSecure = true, hostname = 'scan.example', basePath = '/tenant' } = spec;
  const baseUrl = new URL(`${isSecure ? 'https' : 'http'}://${hostname}${basePath}`);
  const operation = getOperation(spec.hasParts === true ? 'upload-multiple-files' : 'upload-file');
  const parts = operation.parts.map((part) => ({ part, file: FILE }));
  return {
    label: 'another scan',
    url: new URL(`${baseUrl.href.replace(/\/$/, '')}/v1/scanner/upload-file`),
    plan: { operation, parts },
    scanKey: SCAN_KEY,
    body: {
      contentType: 'multipart/form-data',
      length: spec.bodyBytes ?? BODY_BYTES,
      segments: [],
    },
    requestTraceId: TRACE_ID,
    inputs: {
      credential: makeCredential(spec),
      headers: spec.headers ?? [],
      proxy: spec.isProxied === true ? makeProxy(spec) : undefined,
      retries: RETRIES,
      stallMs: 20_000,
      tls: {
        ...(spec.ca !== undefined && { ca: spec.ca }),
        ...(spec.clientCertificate !== undefined && { cert: spec.clientCertificate, key: 'PEM' }),
        isExtraCaMissing: spec.isExtraCaMissing === true,
      },
    },
  };
}

function makeCredential(spec: TaskSpec): Credential {
  const { credentialKind: kind = 'token', token = 'x', tokenHeader = 'Authorization' } = spec;
  if (kind === 'none') return { kind };
  if (kind === 'oidc') return { kind, header: 'Authorization', prefix: 'Bearer ', audience: 'x' };
  return { kind, header: tokenHeader, value: token };
}

function makeProxy(spec: TaskSpec): UploadTask['inputs']['proxy'] {
  return {
    url: new URL('http://proxy.example:3128'),
    authorization: undefined,
    isMisspelledException: spec.isMisspelledException === true,
  };
}

/** A plan whose files fill the operation's parts in order; there may be fewer files than parts. */
export function makePlan(name: Operation['name'], ...files: readonly InspectedFile[]): UploadPlan {
  const operation = getOperation(name);
  const parts = operation.parts.flatMap((part, index) => {
    const file = files[index];
    return file === undefined ? [] : [{ part, file }];
  });
  return { operation, parts };
}

/** A file that was opened and inspected, as passed to later stages. */
export async function makeScanFile(details: Partial<InspectedFile> = {}): Promise<InspectedFile> {
  const { name = FILE.name } = details;
  const named = { path: `/workspace/${name}`, displayPath: name, identity: `1:${name}` };
  const mtimeNs = BigInt(Date.now()) * 1_000_000n;
  return { ...FILE, ...named, mtimeNs, size: 2, content: makeContent(), ...details };
}

/** Inspection result of a whole JSON file of no known format, unless `details` says otherwise. */
export function makeContent(details: Partial<Content> = {}): Content {
  return conclude({ format: 'json', syntax: 'json', inspected: 'full', ...details });
}

/** Inspection result of a CycloneDX document with these counts. */
export function makeBom(components?: number, vulnerabilities?: number): Content {
  return makeContent({
    format: 'cyclonedx',
    specVersion: '1.6',
    ...(components !== undefined && { components }),
    ...(vulnerabilities !== undefined && { vulnerabilities }),
  });
}

/** A plan of a BOM and a report. */
export async function makePair(): Promise<UploadPlan> {
  const content = { ...makeBom(1, 0), tool: 'syft 1.38.0' };
  const bom = await makeScanFile({ name: 'bom.cdx.json', size: 2 * KIB, content });
  return makePlan('upload-multiple-files', bom, await makeScanFile({ name: 'report.json' }));
}

/** Records the attempts of an upload, how long each wait for a further one is to be, and what it is said to be for. */
export class Recorder implements UploadEvents {
  attempts = 0;
  readonly waits: number[] = [];
  headline = '';
  readonly onSent = (): void => {};
  readonly onState = (): void => {};
  readonly onAttempt = (attempt: number): number => (this.attempts = attempt);
  readonly onRetry: UploadEvents['onRetry'];

  /** `onWait` is called before each wait for a further attempt. */
  constructor(onWait: () => void = () => {}) {
    this.onRetry = (headline, _askedMs, waitMs) => {
      this.headline = headline;
      this.waits.push(waitMs);
      onWait();
    };
  }
}

/** An entry of `scans` as an author writes it. */
export type Entry = Readonly<Record<string, unknown>>;

/** Entries for the files `a.json`, `b.json`, ..., with the names `a`, `b`, ... */
export function makeEntries(names: string): readonly Entry[] {
  return Array.from(names, (name, index) => ({
    name,
    'scan-key': makeKey(index + 1),
    'scan-file': `${name}.json`,
  }));
}

/** The stages of a step in a workspace. */
export class Stages {
  readonly #inputs: Inputs;
  readonly #workspace: string;
  readonly #limits: StepLimits;
  planned: readonly (PlannedScan | ScanResult)[] = [];

  constructor(inputs: Inputs, workspace: string, signal: AbortSignal) {
    this.#inputs = inputs;
    this.#workspace = workspace;
    this.#limits = { signal, deadline: performance.now() + readTimeLimit(new Faults()) };
  }

  /** Prepares the scans of a job that began then. Calls `advance` after each. */
  async prepare(
    advance: () => void = () => {},
    jobStart = -Infinity,
  ): Promise<readonly (PlannedScan | ScanResult)[]> {
    const scope = { workspace: this.#workspace, includeHidden: false };
    const { signal } = this.#limits;
    const preparation = { inputs: this.#inputs, scope, jobStart, signal };
    this.planned = await prepareScans(this.#inputs.scans, preparation, advance);
    return this.planned;
  }

  /** Calls `onEnd` with each result. */
  async upload(onEnd: (scan: ScanResult) => void = () => {}): Promise<readonly ScanResult[]> {
    if (this.#inputs.dryRun) throw new Error('A dry run ends after the plan.');
    const events = { onStart: () => new Recorder(), onEnd };
    return uploadScans(this.planned, this.#inputs, this.#limits, events);
  }

  locate(name: string): string {
    return join(this.#workspace, name);
  }
}

/** Reads the inputs, and writes the files `a.json` to `h.json`, overridden by `files`. */
export async function makeStages(
  entries: readonly Entry[],
  inputs: Texts = {},
  files: Texts = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Stages> {
  const contents = Object.fromEntries(Array.from('abcdefgh', (name) => [`${name}.json`, REPORT]));
  const workspace = await makeFolder({ ...contents, ...files });
  const given = { 'base-url': 'http://127.0.0.1:1', token: 't0ken-of-tests', ...inputs };
  setInputs({ ...given, scans: JSON.stringify(entries) });
  return new Stages(await readInputs(workspace, new Faults()), workspace, signal);
}
