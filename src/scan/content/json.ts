import { isUtf8 } from 'node:buffer';
import type { Collector } from '../document/collector.ts';
import { describeDocument, makeCollector } from '../document/recognise.ts';
import { Utf8Check } from './bytes.ts';
import type { Content, Inspected, Sample } from './content.ts';
import { describeCut, describeInvalid } from './faults.ts';
import { JsonScanner } from './json-scanner.ts';
import { findLastMembers } from './json-tail.ts';
import type { JsonFault } from './json-text.ts';
import { tellValue } from './json-value.ts';

const OBJECT = Buffer.from('{');
const CONTAINERS = Buffer.from('{[');
/** What a lone text, number or literal begins with. */
const SCALARS = Buffer.from('"-0123456789tfn');

/** How a text was read as JSON; places are in bytes of the file. */
interface JsonReading {
  readonly document: Collector;
  readonly fault: JsonFault | undefined;
  /** Where a second value begins. */
  readonly secondAt: number | undefined;
  /** Where bytes are that are no UTF-8. */
  readonly invalidAt: number | undefined;
}

/**
 * What a text is that begins like a JSON object or list; undefined for one that begins otherwise.
 * Of a text that is not read to its end, the head tells what it is and the tail whether it was cut.
 */
export async function inspectJson(sample: Sample): Promise<Content | undefined> {
  const [first = 0] = sample.head;
  if (SCALARS.includes(first)) return inspectScalar(sample);
  if (!CONTAINERS.includes(first)) return undefined;
  const parsed = parseSmall(sample);
  if (parsed !== undefined) return describeRead(parsed);
  const reading = await readPieces(sample);
  return sample.isWhole
    ? describeWhole(reading, sample.size)
    : describeEnds(reading, sample, await sample.tail());
}

/**
 * A small text that JSON.parse takes, which is faster by far than a scanner that has yet to be
 * compiled. What is wrong with any other text, and where, is for the scanner to say.
 */
function parseSmall({ isAllInHead, head }: Sample): Collector | undefined {
  if (!isAllInHead || !isUtf8(head)) return undefined;
  const value = tryParse(head.toString('utf8'));
  if (value === undefined) return undefined;
  const document = makeCollector('json');
  tellValue(value, document);
  return document;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readPieces({ start, pieces }: Sample): Promise<JsonReading> {
  const document = makeCollector('json');
  const scanner = new JsonScanner(document, start);
  const check = new Utf8Check(start);
  for await (const piece of pieces()) {
    check.push(piece);
    if (!scanner.push(piece)) break;
  }
  check.end();
  const fault = scanner.end();
  return { document, fault, secondAt: scanner.secondAt, invalidAt: check.invalidAt };
}

/** A text, number or literal is JSON as well (RFC 8259, section 2), if hardly a scan. */
async function inspectScalar(sample: Sample): Promise<Content | undefined> {
  if (!sample.isWhole) return undefined;
  const { fault, secondAt, invalidAt } = await readPieces(sample);
  if (fault !== undefined || secondAt !== undefined) return undefined;
  return { format: 'json', syntax: 'json', inspected: 'whole', ...judgeBytes(invalidAt) };
}

function describeWhole(
  { document, fault, secondAt, invalidAt }: JsonReading,
  size: number,
): Content {
  if (fault !== undefined) return describeFault(fault, document, 'whole', size);
  const content =
    secondAt === undefined ? describeRead(document) : describeValues('whole', secondAt);
  return { ...content, ...judgeBytes(invalidAt) };
}

function describeEnds(
  { document, fault, secondAt }: JsonReading,
  { head, size }: Sample,
  tail: Buffer,
): Content {
  if (fault?.isCut === false) return describeFault(fault, document, 'ends', size);
  const [first = 0] = head;
  const isObject = OBJECT.includes(first);
  // Of several values the last need not be like the first.
  const last = findLastMembers(tail, secondAt !== undefined ? '}]' : isObject ? '}' : ']');
  if (isObject && last instanceof Buffer) readLastMembers(last, document);
  const content =
    secondAt !== undefined || last === 'another value'
      ? describeValues('ends', secondAt)
      : { ...describeDocument('json', document, false), inspected: 'ends' as const };
  return { ...content, ...(last === 'cut' && { fault: describeCut('JSON', size) }) };
}

/** Some writers say at the end of a document what it is. */
function readLastMembers(members: Buffer, document: Collector): void {
  document.restart();
  const scanner = new JsonScanner(document, 0);
  scanner.push(Buffer.concat([OBJECT, members]));
  scanner.end();
}

function describeValues(inspected: Inspected, secondAt: number | undefined): Content {
  const place = secondAt === undefined ? '' : `, the second at byte ${secondAt}`;
  return {
    format: 'unknown',
    syntax: 'ndjson',
    inspected,
    kind: `several JSON values one after the other (NDJSON${place})`,
  };
}

/** What was read to its end, unless that was more than could be kept. */
function describeRead(document: Collector): Content {
  const isCounted = !document.isOverfull;
  const inspected = isCounted ? 'whole' : 'ends';
  return { ...describeDocument('json', document, isCounted), inspected };
}

function describeFault(
  { isCut, offset }: JsonFault,
  document: Collector,
  inspected: Inspected,
  size: number,
): Content {
  const fault = isCut ? describeCut('JSON', size) : `is not well-formed JSON (at byte ${offset})`;
  return { ...describeDocument('json', document, false), inspected, fault };
}

function judgeBytes(invalidAt: number | undefined): Pick<Content, 'fault'> {
  return invalidAt === undefined ? {} : { fault: describeInvalid(invalidAt) };
}
