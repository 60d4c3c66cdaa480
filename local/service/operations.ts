/** Name of the text field that carries the scan's UUID in every operation. */
export const SCAN_KEY_PART = 'ScanKey';

/** The operations of the interface document, all with POST; all `fileParts` are required. */
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

/** One operation; the content of its `jsonPart` must be JSON. */
export type Operation = (typeof OPERATIONS)[number];

/** The operation at a request target (query ignored), or undefined when there is none. */
export function findOperation(target: string, prefix: string): Operation | undefined {
  const [path] = target.split('?', 1);
  return OPERATIONS.find((operation) => path === prefix + operation.path);
}
