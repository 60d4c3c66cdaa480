// The operations of the Scan Upload Service, as its interface document describes them. All other code uses
// this table. The inputs that are set choose the operation, or the number of files that `files` matched.

/** The path of all operations below the base URL. */
export const OPERATIONS_PATH = '/v1/scanner/';

/** A file part of an operation's form. */
export interface Part {
  readonly name: 'ScanJsonFile' | 'DependenciesCDX' | 'VulnerabilitiesTool';
  /** The input that names its file. */
  readonly input: 'scan-file' | 'dependencies-file' | 'vulnerabilities-file';
  /** Whether its file must be JSON. */
  readonly isJson: boolean;
  /** The expected content of its file. */
  readonly expects: 'SBOM' | 'report' | 'either';
}

/** An operation of the service. */
export interface Operation {
  /** The last segment of its path. */
  readonly name: 'upload-file' | 'upload-multiple-files';
  /** In the order in which they are sent. */
  readonly parts: readonly Part[];
}

const SCAN: Part = { name: 'ScanJsonFile', input: 'scan-file', isJson: true, expects: 'either' };
const SBOM: Part = {
  name: 'DependenciesCDX',
  input: 'dependencies-file',
  isJson: false,
  expects: 'SBOM',
};
const REPORT: Part = {
  name: 'VulnerabilitiesTool',
  input: 'vulnerabilities-file',
  isJson: false,
  expects: 'report',
};

/** All file parts, each once: operations may share one. */
export const PARTS: readonly Part[] = [SCAN, SBOM, REPORT];

/** All operations of the service. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'upload-file', parts: [SCAN] },
  { name: 'upload-multiple-files', parts: [SBOM, REPORT] },
];

/** The plain text part of every operation: the scan's UUID. */
export const SCAN_KEY_PART = 'ScanKey';

/** The content type of every file part, whatever its format. */
export const FILE_CONTENT_TYPE = 'application/octet-stream';

/** Returns the URL of an operation. Its path is appended to that of `baseUrl`; resolving it would drop a prefix. */
export function locateOperation(baseUrl: URL, { name }: Operation): URL {
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}${OPERATIONS_PATH}${name}`;
  return url;
}
