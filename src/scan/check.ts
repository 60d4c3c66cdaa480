import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** Something about a file's content that its author should know. */
export interface Finding {
  /** A fault is plainly wrong and stops the step under `content-check: error`; a warning never does. */
  readonly level: 'fault' | 'warning';
  /** One sentence that names the file and its part. */
  readonly message: string;
}

/**
 * Checks the planned files' contents. Faults: empty, malformed or cut; a scan file that is not JSON;
 * an inventory and a report that stand in each other's place. The interface limits no format, so what
 * is well-formed but not recognised is a warning at most.
 */
export function checkContents({ parts }: UploadPlan): readonly Finding[] {
  const findings = parts.flatMap((part) => checkPart(part));
  return isSwapped(parts) ? [...findings, SWAPPED] : findings;
}

const SWAPPED: Finding = {
  level: 'fault',
  message:
    'The inventory holds vulnerabilities without components and the report components without vulnerabilities: swap dependencies-file and vulnerabilities-file.',
};

function checkPart(planned: PlannedPart): readonly Finding[] {
  const { content } = planned.file;
  const name = describePart(planned);
  if (content.fault !== undefined) {
    return [{ level: 'fault', message: `${name} ${content.fault}.` }];
  }
  switch (planned.part) {
    case 'ScanJsonFile':
      if (content.syntax === 'json') return [];
      return [{ level: 'fault', message: `${name} is not JSON (${content.format}).` }];
    case 'DependenciesCDX':
      return checkInventory(name, planned);
    case 'VulnerabilitiesTool':
      return [];
  }
}

function checkInventory(name: string, { file }: PlannedPart): readonly Finding[] {
  if (file.content.format !== 'cyclonedx') {
    const message = `${name} is not recognised as CycloneDX (${file.content.format}).`;
    return [{ level: 'warning', message }];
  }
  if (file.content.components !== 0 || file.content.vulnerabilities !== 0) return [];
  return [{ level: 'warning', message: `${name} is an inventory without components.` }];
}

function isSwapped(parts: readonly PlannedPart[]): boolean {
  const [inventory, report] = parts.map(({ file }) => file.content);
  return (
    inventory?.components === 0 &&
    (inventory.vulnerabilities ?? 0) > 0 &&
    report?.vulnerabilities === 0 &&
    (report.components ?? 0) > 0
  );
}
