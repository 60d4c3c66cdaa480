import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { CODE_POINT, CONCEALED } from './arbitraries.ts';
import type { Content } from './multipart.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The longest name that file systems accept. */
const MAX_NAME_BYTES = 255;

/** Pieces of names, including quotation and text that resembles multipart framing. */
const NAME_CHARACTERS = [
  ...Array.from('ab.-_ "\';=,:%&+()[]{}<>|?*#@!~^$`\u00e9e\u0301\u6f22\u{1f50d}\u00a0'),
  '%22',
  '%0D%0A',
  'filename="x"',
];
/** A base name that can be sent, and that this system accepts. */
export function fileName(): Arbitrary<string> {
  const unit = fc.constantFrom(...NAME_CHARACTERS.filter((text) => isTaken(`${text}a`)));
  return fc
    .oneof(
      fc.string({ unit, minLength: 1, maxLength: 20, size: 'max' }),
      fc.constantFrom('scan.json', '.scan', '...', '-', 'a'.repeat(MAX_NAME_BYTES)),
    )
    .filter((name) => name !== '.' && name !== '..' && isShortEnough(name) && isTaken(name));
}

/** Whether the system accepts the name: Windows forbids some characters, and others at the end. */
function isTaken(name: string): boolean {
  return process.platform !== 'win32' || !/["<>|?*:]|[. ]$/.test(name);
}

/** Any base name at all. */
export function anyFileName(): Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom(...NAME_CHARACTERS),
    fc.constantFrom('\\', ...CONCEALED),
    CODE_POINT,
  );
  return fc
    .string({ unit, minLength: 1, maxLength: 12 })
    .map((name) => name.replace(/[/\0]/g, '_'))
    .filter((name) => name !== '.' && name !== '..' && isShortEnough(name));
}

function isShortEnough(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Around the size of a write, and of the buffers. */
const EDGES = [64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 192 * KIB, MIB - 1, MIB + 1];
const SIZE = fc.oneof(
  { arbitrary: fc.nat({ max: 200 }), weight: 4 },
  { arbitrary: fc.nat({ max: 100 * KIB }), weight: 3 },
  { arbitrary: fc.constantFrom(0, ...EDGES), weight: 2 },
  { arbitrary: fc.nat({ max: 3 * MIB }), weight: 1 },
);

/** Texts that resemble a boundary or the head of a part. */
const FRAMING = [
  '\r\n--',
  '--',
  '\r\n',
  '\r',
  '\n',
  '\r\n----------------------------',
  '--------------------------123456789012345678901234--\r\n',
  '\r\n--boundary\r\nContent-Disposition: form-data; name="ScanKey"\r\n\r\nx',
  'Content-Disposition: form-data; name="a"; filename="b"\r\n\r\n',
  '\0',
  '\u00ff',
  'a',
] as const;

/** The bytes of a file: random ones, or pieces of multipart framing. */
function fileBytes(): Arbitrary<Buffer> {
  const framing = fc.array(fc.constantFrom(...FRAMING), { minLength: 1, maxLength: 8 });
  return fc.oneof(
    fc.tuple(SIZE, fc.nat()).map(([size, seed]) => makeNoise(size, seed)),
    fc.tuple(SIZE, framing).map(([size, pieces]) => repeatTo(pieces.join(''), size)),
  );
}

/** A text repeated to a size in bytes. */
export function repeatTo(text: string, size: number): Buffer {
  return text === '' ? Buffer.alloc(size) : Buffer.alloc(size, text);
}

/** Random bytes, the same for the same seed. */
function makeNoise(size: number, seed: number): Buffer {
  return createHash('shake256', { outputLength: Math.max(size, 1) })
    .update(String(seed))
    .digest()
    .subarray(0, size);
}

/** The files of either operation. */
export function uploadContents(): Arbitrary<readonly Content[]> {
  const details = fc.record({ name: fileName(), bytes: fileBytes() });
  const named = (part: Content['part']): Arbitrary<Content> =>
    details.map((content) => ({ part, ...content }));
  return fc.oneof(
    named('ScanJsonFile').map((content) => [content]),
    fc.tuple(named('DependenciesCDX'), named('VulnerabilitiesTool')),
  );
}
