import { continueTrace } from '../service/trace.ts';
import type { ScriptedAnswer } from '../service/index.ts';

/** One step to be shown, and what has to come of it. */
export interface Scenario {
  readonly heading: string;
  /** The step's inputs beside `base-url` and `token`. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Part to file of the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** How the service is told to answer, where it is not to decide by itself. */
  readonly answer: ScriptedAnswer | undefined;
  readonly expected: {
    readonly exitCode: number;
    /** Outputs that have to have these values. */
    readonly outputs: Readonly<Record<string, string>>;
    readonly isKept: boolean;
  };
}

const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const UNKNOWN_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

/** The scan files of the workspace the steps run in. */
export const SCAN_FILES = ['trivy.json', 'bom.cdx.json', 'vulnerabilities.json'] as const;

/** The three steps: one file, two files, and one the service refuses. */
export function makeScenarios(): readonly Scenario[] {
  return [
    {
      heading: 'One scan file',
      inputs: { 'scan-key': SCAN_KEY, 'scan-file': 'trivy.json' },
      files: { ScanJsonFile: 'trivy.json' },
      answer: undefined,
      expected: accepted('upload-file'),
    },
    {
      heading: 'A dependency inventory and a vulnerability report',
      inputs: {
        'scan-key': SCAN_KEY,
        'dependencies-file': '*.cdx.json',
        'vulnerabilities-file': 'vulnerabilities.json',
      },
      files: { DependenciesCDX: 'bom.cdx.json', VulnerabilitiesTool: 'vulnerabilities.json' },
      answer: undefined,
      expected: accepted('upload-multiple-files'),
    },
    {
      heading: 'A scan the service does not know',
      inputs: { 'scan-key': UNKNOWN_KEY, 'scan-file': 'trivy.json' },
      files: { ScanJsonFile: 'trivy.json' },
      answer: refuseScanKey(UNKNOWN_KEY),
      expected: {
        exitCode: 1,
        outputs: { uploaded: 'false', result: 'rejected', 'status-code': '400' },
        isKept: false,
      },
    },
  ];
}

function accepted(operation: string): Scenario['expected'] {
  const outputs = { uploaded: 'true', result: 'accepted', operation, 'status-code': '200' };
  return { exitCode: 0, outputs, isKept: true };
}

function refuseScanKey(scanKey: string): ScriptedAnswer {
  const problem = {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    detail: `There is no scan with the key ${scanKey}.`,
    errors: { ScanKey: [`The value '${scanKey}' is not a known scan.`] },
    traceId: continueTrace(undefined),
  };
  return {
    status: 400,
    contentType: 'application/problem+json; charset=utf-8',
    body: JSON.stringify(problem),
  };
}
