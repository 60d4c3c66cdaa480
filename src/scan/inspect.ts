import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { Content, Sample } from './content/content.ts';
import { inspectJson } from './content/json.ts';
import { inspectXml } from './content/xml.ts';

/**
 * Up to this size a file is read and parsed whole. `JSON.parse` of 15 MiB of small objects peaks at
 * 170 MiB, 4 MiB of them at about 45 MiB.
 */
export const MAX_PARSED_BYTES = 4 * 1024 * 1024;

/** Of a larger file, the bytes read at either end. */
const END_BYTES = 64 * 1024;

/** Tells what the file behind `handle`, of `size` bytes, is. Reads at most MAX_PARSED_BYTES of it. */
export async function inspectContent(handle: FileHandle, size: number): Promise<Content> {
  if (size === 0) return { format: 'empty', fault: 'is empty (0 bytes)' };
  const whole = size <= MAX_PARSED_BYTES;
  const head = await readRange(handle, 0, whole ? size : END_BYTES);
  const tail = whole ? head : await readRange(handle, size - END_BYTES, END_BYTES);
  if (isUtf16(head)) {
    return {
      format: 'unknown',
      fault:
        "is UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8",
    };
  }
  return inspectText(decodeSample(head, tail, whole));
}

function inspectText(sample: Sample): Content {
  if (sample.whole && sample.head.trim() === '') {
    return { format: 'empty', fault: 'holds only white space' };
  }
  return inspectJson(sample) ?? inspectXml(sample) ?? { format: 'unknown' };
}

async function readRange(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function isUtf16(head: Buffer): boolean {
  return head.length >= 2 && (head.readUInt16BE(0) === 0xfffe || head.readUInt16BE(0) === 0xfeff);
}

function decodeSample(head: Buffer, tail: Buffer, whole: boolean): Sample {
  const bomBytes = head.indexOf('\ufeff') === 0 ? 3 : 0;
  // A larger file's head and tail may begin or end inside a character, so validity is unknown there.
  const validUtf8 = !whole || isUtf8(head);
  const decoder = new TextDecoder();
  const text = decoder.decode(head);
  return { head: text, tail: whole ? text : decoder.decode(tail), whole, bomBytes, validUtf8 };
}
