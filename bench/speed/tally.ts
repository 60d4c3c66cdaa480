/** What came to a service. */
export interface Tally {
  /** Requests whose body was as long as was said. */
  readonly uploads: number;
  /** Of the bodies of those requests. */
  readonly bytes: number;
  /** Different scan keys in them. */
  readonly keys: number;
}

/** Counts what comes to a service. */
export interface Counter {
  /** `start` is the beginning of the body, as Latin-1. */
  readonly addUpload: (bytes: number, start: string) => void;
  /** What came since the last time. */
  readonly take: () => Tally;
}

/** The scan key is the first part of the form: within these characters of the body. */
export const START_CHARACTERS = 512;

const SCAN_KEY = /name="ScanKey"(?:\r\n[^\r]+)*\r\n\r\n([^\r]+)\r\n/;

export function createCounter(): Counter {
  let uploads = 0;
  let bytes = 0;
  const keys = new Set<string>();
  return {
    addUpload: (length, start) => {
      uploads += 1;
      bytes += length;
      const key = SCAN_KEY.exec(start)?.[1];
      if (key !== undefined) keys.add(key);
    },
    take: () => {
      const tally = { uploads, bytes, keys: keys.size };
      [uploads, bytes] = [0, 0];
      keys.clear();
      return tally;
    },
  };
}
