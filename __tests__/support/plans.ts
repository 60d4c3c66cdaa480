import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import type { InspectedFile } from '../../src/formats/inspect.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import type { Operation } from '../../src/service/operations.ts';
import { KIB } from './samples.ts';
import { FILE, getOperation } from './tasks.ts';

/** A plan whose files fill the operation's parts in order; there may be fewer files than parts. */
export function makePlan(name: Operation['name'], ...files: readonly InspectedFile[]): UploadPlan {
  const operation = getOperation(name);
  const parts = operation.parts.flatMap((part, index) => {
    const file = files[index];
    return file === undefined ? [] : [{ part, file }];
  });
  return { operation, parts };
}

/** A file that was opened and inspected, as passed to later stages. */
export async function makeScanFile(details: Partial<InspectedFile> = {}): Promise<InspectedFile> {
  const { name = FILE.name } = details;
  const named = { path: `/workspace/${name}`, displayPath: name, identity: `1:${name}` };
  const mtimeNs = BigInt(Date.now()) * 1_000_000n;
  return { ...FILE, ...named, mtimeNs, size: 2, content: makeContent(), ...details };
}

/** Inspection result of a whole JSON file of no known format, unless `details` says otherwise. */
export function makeContent(details: Partial<Content> = {}): Content {
  return conclude({ format: 'json', syntax: 'json', inspected: 'full', ...details });
}

/** Inspection result of a CycloneDX document with these counts. */
export function makeBom(components?: number, vulnerabilities?: number): Content {
  return makeContent({
    format: 'cyclonedx',
    specVersion: '1.6',
    ...(components !== undefined && { components }),
    ...(vulnerabilities !== undefined && { vulnerabilities }),
  });
}

/** A plan of a BOM and a report. */
export async function makePair(): Promise<UploadPlan> {
  const content = { ...makeBom(1, 0), tool: 'syft 1.38.0' };
  const bom = await makeScanFile({ name: 'bom.cdx.json', size: 2 * KIB, content });
  return makePlan('upload-multiple-files', bom, await makeScanFile({ name: 'report.json' }));
}
