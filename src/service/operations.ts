/** The two operations of the Scan Upload Service, named as the interface document names them. */
export type OperationName = 'upload-file' | 'upload-multiple-files';

/** The names of the form's file parts. */
export type PartName = 'ScanJsonFile' | 'DependenciesCDX' | 'VulnerabilitiesTool';

/** The plain text part that both operations take: the scan's UUID. */
export const SCAN_KEY_PART = 'ScanKey';

/** The content type of every file part, whatever is in the file. */
export const FILE_CONTENT_TYPE = 'application/octet-stream';

/** The URL of an operation: `baseUrl` with its path prefix kept, never resolved against it. */
export function locateOperation(baseUrl: URL, operation: OperationName): URL {
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}/v1/scanner/${operation}`;
  return url;
}
