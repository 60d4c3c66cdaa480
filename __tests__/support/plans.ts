import type { ScanFile } from '../../src/formats/inspect.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import type { Operation } from '../../src/service/operations.ts';

/** The operation of a name. */
export function getOperation(name: Operation['name']): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  return operation;
}

/** A plan whose files fill the operation's parts in order; there may be fewer files than parts. */
export function makePlan(name: Operation['name'], ...files: readonly ScanFile[]): UploadPlan {
  const operation = getOperation(name);
  const parts = operation.parts.flatMap((part, index) => {
    const file = files[index];
    return file === undefined ? [] : [{ part, file }];
  });
  return { operation, parts };
}

/** A file that was opened and inspected, as passed to later stages. */
export async function makeScanFile(details: Partial<ScanFile> = {}): Promise<ScanFile> {
  const name = details.name ?? 'scan.json';
  return {
    path: `/workspace/${name}`,
    displayPath: name,
    name,
    size: 2,
    mtimeNs: BigInt(Date.now()) * 1_000_000n,
    identity: `1:${name}`,
    input: 'files',
    directory: '/workspace',
    content: { format: 'json', syntax: 'json', inspected: 'full' },
    ...details,
  };
}
