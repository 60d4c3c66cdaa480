import type { UploadTask } from '../../src/outcomes/task.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import type { Operation } from '../../src/service/operations.ts';
import type { Credential } from '../../src/service/auth.ts';
import { SCAN_KEY } from './samples.ts';

/** What a test says of an upload. */
export interface TaskSpec {
  readonly isSecure?: boolean;
  readonly hostname?: string;
  readonly basePath?: string;
  readonly bodyBytes?: number;
  readonly hasParts?: boolean;
  readonly credentialKind?: Credential['kind'];
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
      headers: [],
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
