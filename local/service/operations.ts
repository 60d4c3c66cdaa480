/** Name of the text field that carries the scan's UUID in every operation. */
export const SCAN_KEY_PART = 'ScanKey';

/** One operation of the interface document, with POST; all `fileParts` are required. */
export interface Operation {
  readonly name: 'upload-file' | 'upload-multiple-files';
  readonly fileParts: readonly string[];
  /** The part whose content must be JSON. */
  readonly jsonPart?: string;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'upload-file', fileParts: ['ScanJsonFile'], jsonPart: 'ScanJsonFile' },
  { name: 'upload-multiple-files', fileParts: ['DependenciesCDX', 'VulnerabilitiesTool'] },
];

/** The operation at a request target (query ignored), or undefined when there is none. */
export function findOperation(target: string, prefix: string): Operation | undefined {
  const [path] = target.split('?', 1);
  return OPERATIONS.find(({ name }) => path === `${prefix}/v1/scanner/${name}`);
}
