import { extname } from 'node:path';
import type { Part } from '../service/operations.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import { HTML } from '../formats/bytes.ts';
import { findFormat } from '../formats/registry.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** Something about a file's content that its author should know. */
export interface Finding {
  /** A fault is plainly wrong and stops the step under `content-check: error`; a warning never does. */
  readonly level: 'fault' | 'warning';
  /** One sentence that names the file and its part. */
  readonly message: string;
  /** What it is about. */
  readonly parts: readonly PlannedPart[];
}

/**
 * Checks the planned files' contents. Faults: empty, malformed or truncated; nothing like what the name
 * says; a scan file that is not JSON; an inventory and a report in each other's place. The interface
 * limits no format, so what is well-formed but not recognised is a warning at most.
 */
export function checkContents({ parts }: UploadPlan): readonly Finding[] {
  const findings = parts.flatMap((planned) => checkPart(planned));
  if (!isSwapped(parts)) return findings;
  return [...findings.filter(({ level }) => level === 'fault'), describeSwap(parts)];
}

function checkPart(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  if (file.content.fault !== undefined) {
    const message = `${describePart(planned)} ${file.content.fault}.`;
    return [{ level: 'fault', message, parts: [planned] }];
  }
  return [
    ...checkSyntax(planned),
    ...checkPage(planned),
    ...(part.holds === 'inventory' ? checkInventory(planned) : []),
  ];
}

const SYNTAXES = { json: 'JSON', xml: 'XML' } as const;

/** Finds a web page, an archive, other text or NDJSON that was saved under a document's name. */
function checkSyntax(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const wanted = part.isJson ? 'json' : findSyntax(file.name);
  const { syntax } = file.content;
  if (wanted === undefined || syntax === wanted) return [];
  const isOther = syntax === 'json' || syntax === 'xml';
  const contrast = part.isJson ? 'not JSON' : `although its name ends in ${extname(file.name)}`;
  const message = `${describePart(planned)} is ${describeWithSyntax(file.content)}, ${contrast}.`;
  return [{ level: isOther && !part.isJson ? 'warning' : 'fault', message, parts: [planned] }];
}

/** A format may be written as JSON and as XML. */
function describeWithSyntax(content: Content): string {
  const { format, syntax } = content;
  const isFormat = findFormat(format) !== undefined;
  const language = isFormat && syntax !== undefined && syntax !== 'ndjson' ? SYNTAXES[syntax] : '';
  return [describeContent(content), language].filter((word) => word !== '').join(' in ');
}

/** Finds the page of a login or of an error that was saved in a scan's place. */
function checkPage(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const isNoted = part.isJson || findSyntax(file.name) !== undefined;
  if (file.content.kind !== HTML || isNoted || /\.x?html?$/i.test(file.name)) return [];
  const message = `${describePart(planned)} is ${HTML}, not a scan.`;
  return [{ level: 'fault', message, parts: [planned] }];
}

function findSyntax(name: string): keyof typeof SYNTAXES | undefined {
  if (/\.(?:json|sarif)$/i.test(name)) return 'json';
  return /\.xml$/i.test(name) ? 'xml' : undefined;
}

function checkInventory(planned: PlannedPart): readonly Finding[] {
  const { content } = planned.file;
  const name = describePart(planned);
  if (content.format !== 'cyclonedx') {
    const message = `${name} is not recognised as CycloneDX: it is ${describeContent(content)}.`;
    return [{ level: 'warning', message, parts: [planned] }];
  }
  if (content.components !== 0) return [];
  const message = `${name} is an inventory without components.`;
  return [{ level: 'warning', message, parts: [planned] }];
}

function findPart(parts: readonly PlannedPart[], holds: Part['holds']): PlannedPart | undefined {
  return parts.find(({ part }) => part.holds === holds);
}

function isSwapped(parts: readonly PlannedPart[]): boolean {
  const inventory = findPart(parts, 'inventory');
  const report = findPart(parts, 'report');
  if (inventory === undefined || report === undefined) return false;
  return isReportAlone(inventory.file.content) && isInventoryAlone(report.file.content);
}

function isReportAlone({ format, components, vulnerabilities = 0 }: Content): boolean {
  const holds = findFormat(format)?.holds;
  return holds === 'report' || (holds === 'either' && components === 0 && vulnerabilities > 0);
}

/** A document that is an inventory and a report in one may stand in either's place. */
function isInventoryAlone({ format, components = 0, vulnerabilities }: Content): boolean {
  const holds = findFormat(format)?.holds;
  return holds === 'inventory' || (holds === 'either' && components > 0 && vulnerabilities === 0);
}

function describeSwap(parts: readonly PlannedPart[]): Finding {
  const swapped = parts.filter(({ part }) => part.holds !== 'either');
  const taken = swapped.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const isInferred = swapped.some(({ file }) => file.input === 'files');
  const inputs = swapped.map(({ part }) => `\`${part.input}\``);
  const named = swapped.map(({ part }) => `the ${part.holds} as \`${part.input}\``);
  const remedy = isInferred
    ? `set ${named.join(' and ')} instead of \`files\``
    : `swap ${inputs.join(' and ')}`;
  return { level: 'fault', message: `${taken.join(', and ')}: ${remedy}.`, parts: swapped };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  const kind = part.holds === 'inventory' ? 'a report' : 'an inventory';
  const counts = describeCounts(content);
  return `${kind} (${describeContent(content)}${counts === '' ? '' : `: ${counts}`})`;
}
