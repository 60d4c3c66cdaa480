import { randomUUID } from 'node:crypto';
import FormData from 'form-data';
import type { OpenFile } from '../files/open.ts';
import { FILE_CONTENT_TYPE, SCAN_KEY_PART } from './operations.ts';
import type { Part } from './operations.ts';

/** An open file and its form part. */
export interface FilePart {
  readonly part: Part['name'];
  readonly file: OpenFile;
}

/** A multipart form, ready to be written any number of times. */
export interface Body {
  /** Value of the Content-Type header, boundary included. */
  readonly contentType: string;
  /** Exact bytes of the whole body: the Content-Length. */
  readonly length: number;
  /** Framing bytes and files in the order in which they are sent. */
  readonly segments: readonly (Buffer | OpenFile)[];
}

/**
 * Frames the form with form-data. A random marker replaces each file's content; the bytes between the
 * markers are the framing. The scan key comes first, as a plain field.
 */
export function frameBody(parts: readonly FilePart[], scanKey: string): Body {
  const form = new FormData();
  form.append(SCAN_KEY_PART, scanKey);
  const files = parts.map(({ part, file }) => {
    const marker = Buffer.from(randomUUID());
    form.append(part, marker, { filename: file.name, contentType: FILE_CONTENT_TYPE });
    return { file, marker };
  });
  const segments: (Buffer | OpenFile)[] = [];
  let rest = form.getBuffer();
  for (const { file, marker } of files) {
    const position = rest.indexOf(marker);
    segments.push(rest.subarray(0, position), file);
    rest = rest.subarray(position + marker.length);
  }
  segments.push(rest);
  const sizes = segments.map((each) => (Buffer.isBuffer(each) ? each.length : each.size));
  const length = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return { contentType: `multipart/form-data; boundary=${form.getBoundary()}`, length, segments };
}
