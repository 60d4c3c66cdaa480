import { errorMessage } from '../../errors.ts';
import type { Content, Sample } from './content.ts';

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * What a text is that begins like a JSON object or array; undefined for one that begins otherwise.
 * Read whole it is parsed; else the members of the head's outermost object tell what it is, and the
 * last character whether it was cut.
 */
export function inspectJson(sample: Sample): Content | undefined {
  const closing = CLOSING[sample.head.trimStart().charAt(0)];
  if (closing === undefined)
    return isScalar(sample) ? { format: 'json', syntax: 'json' } : undefined;
  if (!sample.validUtf8) return { format: 'json', syntax: 'json', fault: 'is not valid UTF-8' };
  return sample.whole ? inspectWhole(sample) : inspectEnds(sample, closing);
}

/** A text, number or literal is JSON as well (RFC 8259, section 2), if hardly a scan. */
function isScalar({ head, whole }: Sample): boolean {
  if (!whole || !/^\s*["\dtfn-]/.test(head)) return false;
  try {
    JSON.parse(head);
    return true;
  } catch {
    return false;
  }
}

function inspectWhole({ head, bomBytes }: Sample): Content {
  try {
    return describeValue(JSON.parse(head));
  } catch (error) {
    return { format: 'json', syntax: 'json', fault: describeSyntaxError(error, head, bomBytes) };
  }
}

function describeValue(value: unknown): Content {
  if (!isObject(value) || getOwn(value, 'bomFormat') !== 'CycloneDX') {
    return { format: 'json', syntax: 'json' };
  }
  const specVersion = getOwn(value, 'specVersion');
  const components = getOwn(value, 'components');
  const vulnerabilities = getOwn(value, 'vulnerabilities');
  return {
    format: 'cyclonedx',
    syntax: 'json',
    ...(typeof specVersion === 'string' && { specVersion }),
    components: Array.isArray(components) ? components.length : 0,
    vulnerabilities: Array.isArray(vulnerabilities) ? vulnerabilities.length : 0,
  };
}

/**
 * V8 gives a position for most errors; one at the end of the text means that the rest is missing. It
 * stands at the end of the message, behind which no quoted content can pass for it.
 */
function describeSyntaxError(error: unknown, text: string, bomBytes: number): string {
  const message = errorMessage(error);
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  const isCut =
    message === 'Unexpected end of JSON input' || Number(position) >= text.trimEnd().length;
  if (isCut) {
    return `is cut off: its JSON ends too early, at byte ${bomBytes + Buffer.byteLength(text)}`;
  }
  if (position === undefined) return 'is not well-formed JSON';
  const offset = bomBytes + Buffer.byteLength(text.slice(0, Number(position)));
  return `is not well-formed JSON (at byte ${offset})`;
}

function inspectEnds({ head, tail }: Sample, closing: string): Content {
  const members = new Map([
    ...readTopLevelStrings(cutLastMembers(tail)),
    ...readTopLevelStrings(head),
  ]);
  const specVersion = members.get('specVersion');
  const isCycloneDx = members.get('bomFormat') === 'CycloneDX';
  const isCut = !tail.trimEnd().endsWith(closing);
  return {
    format: isCycloneDx ? 'cyclonedx' : 'json',
    syntax: 'json',
    ...(isCycloneDx && specVersion !== undefined && { specVersion }),
    ...(isCut && { fault: `is cut off: the closing ${closing} of its JSON is missing` }),
  };
}

/**
 * The members behind the last nested value of the outermost object, as an object of their own: some
 * writers of CycloneDX say what it is at its end.
 */
function cutLastMembers(tail: string): string {
  const text = tail.trimEnd().slice(0, -1);
  const nested = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  return nested < 0 ? '' : `{${text.slice(nested + 1)}}`;
}

/** A string, also one that is cut at the text's end, so that each character is read but once. */
const STRING_OR_MARK = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]:,]/gs;

/** Members of the outermost object whose values are strings, as far as the text goes. */
function readTopLevelStrings(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  let previous = '';
  for (const [token] of text.matchAll(STRING_OR_MARK)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token.startsWith('"')) {
      if (previous === ':' && key !== undefined) members.set(key, token.slice(1, -1));
      else key = token.slice(1, -1);
    }
    previous = token;
  }
  return members;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function getOwn(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
