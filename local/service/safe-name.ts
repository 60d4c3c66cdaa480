// Separators, what Windows forbids, controls, and characters that reorder or hide text in a listing.
const UNSAFE = /[<>:"|?*\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_NAME_BYTES = 200;

/**
 * A file name made of a name from the wire: its last segment, safe on every operating system, at
 * most 200 bytes long, never empty, `.` or `..`.
 */
export function toSafeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const clean = base.replace(UNSAFE, '_').replace(/[. ]+$/, '');
  const short = shorten(RESERVED.test(clean) ? `_${clean}` : clean);
  return short === '' ? 'file' : short;
}

function shorten(name: string): string {
  let short = '';
  for (const character of name) {
    if (Buffer.byteLength(short + character) > MAX_NAME_BYTES) {
      break;
    }
    short += character;
  }
  return short;
}
