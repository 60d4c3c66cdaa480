/** One operation of the Scan Upload Service as its interface document describes it. */
export interface Operation {
  readonly name: OperationName;
  /** Path below the base URL. */
  readonly path: string;
  /** File parts that have to be there. */
  readonly fileParts: readonly string[];
  /** File part whose content has to be JSON. */
  readonly jsonPart: string | undefined;
}

/** Name of the text field that carries the scan's UUID in every operation. */
export const SCAN_KEY_PART = 'ScanKey';

/** All operations, each by POST. */
const OPERATIONS = [
  {
    name: 'upload-file',
    path: '/v1/scanner/upload-file',
    fileParts: ['ScanJsonFile'],
    jsonPart: 'ScanJsonFile',
  },
  {
    name: 'upload-multiple-files',
    path: '/v1/scanner/upload-multiple-files',
    fileParts: ['DependenciesCDX', 'VulnerabilitiesTool'],
    jsonPart: undefined,
  },
] as const;

/** The name of an operation, as the interface document has it. */
export type OperationName = (typeof OPERATIONS)[number]['name'];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID: any 8-4-4-4-12 hexadecimal digits, whatever version they claim. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The operation at a request target (query ignored), or undefined when there is none. */
export function findOperation(target: string, prefix: string): Operation | undefined {
  const path = target.split('?', 1)[0];
  return OPERATIONS.find((operation) => path === prefix + operation.path);
}
