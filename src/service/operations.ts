/** The two operations of the Scan Upload Service, named as the interface document names them. */
export type OperationName = 'upload-file' | 'upload-multiple-files';

/** The names of the form's file parts. */
export type PartName = 'ScanJsonFile' | 'DependenciesCDX' | 'VulnerabilitiesTool';

/** The plain text part that both operations take: the scan's UUID. */
export const SCAN_KEY_PART = 'ScanKey';

/** The content type of every file part, whatever is in the file. */
export const FILE_CONTENT_TYPE = 'application/octet-stream';

/** Where the operations stand below the base URL. */
const OPERATIONS_PATH = '/v1/scanner/';

/** The URL of an operation: `baseUrl` with its path prefix kept, never resolved against it. */
export function locateOperation(baseUrl: URL, operation: OperationName): URL {
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}${OPERATIONS_PATH}${operation}`;
  return url;
}

/** The base URL of which a URL is that of an operation, of whatever name; undefined if of none. */
export function findBaseUrl({ origin, pathname }: URL): string | undefined {
  const end = pathname.lastIndexOf(OPERATIONS_PATH);
  if (end < 0 || !/^[a-z-]+$/.test(pathname.slice(end + OPERATIONS_PATH.length))) return undefined;
  return `${origin}${pathname.slice(0, end)}`;
}
