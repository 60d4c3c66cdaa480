/** An upload that the service is to see. */
export interface ExpectedUpload {
  readonly scanKey: string;
  /** Part to file of the workspace. */
  readonly files: Readonly<Record<string, string>>;
  readonly isKept: boolean;
}

/** One step to be shown, and what has to come of it. */
export interface Scenario {
  readonly heading: string;
  /** The step's inputs beside `base-url` and `token`. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly uploads: readonly ExpectedUpload[];
  readonly expected: {
    readonly exitCode: number;
    /** Outputs that have to have these values. */
    readonly outputs: Readonly<Record<string, string>>;
  };
}

const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const SHOP_KEY = '8a4d1c52-6b0e-4f3f-9d21-7e5b0c9a1f34';
const UNKNOWN_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

/** The scans that the service knows. */
export const KNOWN_KEYS = [SCAN_KEY, SHOP_KEY];

/** The scan files of the workspace the steps run in. */
export const SCAN_FILES = ['trivy.json', 'bom.cdx.json', 'vulnerabilities.json'] as const;

const SINGLE = { ScanJsonFile: 'trivy.json' };
const PAIR = { DependenciesCDX: 'bom.cdx.json', VulnerabilitiesTool: 'vulnerabilities.json' };

/** A monorepo's scans: one file, two files, and one that the service does not know. */
const MONOREPO = [
  { name: 'billing', 'scan-key': SCAN_KEY, 'scan-file': 'trivy.json' },
  {
    name: 'shop',
    'scan-key': SHOP_KEY,
    'dependencies-file': 'bom.cdx.json',
    'vulnerabilities-file': 'vulnerabilities.json',
  },
  { name: 'archive', 'scan-key': UNKNOWN_KEY, 'scan-file': 'vulnerabilities.json' },
];

/** One file, two files, one the service refuses, and a monorepo of three. */
export function makeScenarios(): readonly Scenario[] {
  return [
    {
      heading: 'One scan file',
      inputs: { 'scan-key': SCAN_KEY, 'scan-file': 'trivy.json' },
      uploads: [{ scanKey: SCAN_KEY, files: SINGLE, isKept: true }],
      expected: accept('upload-file'),
    },
    {
      heading: 'A dependency inventory and a vulnerability report',
      inputs: {
        'scan-key': SCAN_KEY,
        'dependencies-file': '*.cdx.json',
        'vulnerabilities-file': 'vulnerabilities.json',
      },
      uploads: [{ scanKey: SCAN_KEY, files: PAIR, isKept: true }],
      expected: accept('upload-multiple-files'),
    },
    {
      heading: 'A scan the service does not know',
      inputs: { 'scan-key': UNKNOWN_KEY, 'scan-file': 'trivy.json' },
      uploads: [{ scanKey: UNKNOWN_KEY, files: SINGLE, isKept: false }],
      expected: refuse(),
    },
    {
      heading: 'A monorepo of three, of which the service does not know one',
      inputs: { scans: JSON.stringify(MONOREPO, undefined, 2) },
      uploads: [
        { scanKey: SCAN_KEY, files: SINGLE, isKept: true },
        { scanKey: SHOP_KEY, files: PAIR, isKept: true },
        { scanKey: UNKNOWN_KEY, files: { ScanJsonFile: 'vulnerabilities.json' }, isKept: false },
      ],
      expected: refuse(),
    },
  ];
}

function accept(operation: string): Scenario['expected'] {
  const outputs = { uploaded: 'true', result: 'accepted', operation, 'status-code': '200' };
  return { exitCode: 0, outputs };
}

function refuse(): Scenario['expected'] {
  return {
    exitCode: 1,
    outputs: { uploaded: 'false', result: 'rejected', 'status-code': '400' },
  };
}
