import { StepError } from '../errors.ts';
import { describeContent, isBareSbom, isRecognised } from '../formats/content.ts';
import type { InspectedFile } from '../formats/inspect.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';
import { CHECKS, checkKind, checkSyntax, isMistake } from './remarks.ts';
import type { Remark } from './remarks.ts';

/**
 * Checks the planned files' contents. The interface does not limit the formats, so a well-formed file that is not
 * recognised is only a warning. `strictness` is `content-check`: with `error` an error throws a StepError; otherwise all
 * are warnings of the parts in the returned plan.
 */
export function checkContents(plan: UploadPlan, strictness: 'error' | 'warn' | 'off'): UploadPlan {
  if (strictness === 'off') return plan;
  const swap = findSwap(plan.parts);
  const checked = plan.parts.map((planned) => {
    // That files are swapped explains what they are not.
    return { planned, remarks: swap === undefined ? checkPart(planned) : [swap] };
  });
  const remarks = new Set(checked.flatMap((each) => each.remarks));
  const errors = [...remarks].filter(({ level }) => level === 'error');
  if (strictness === 'error' && errors.length > 0) throw makeError(errors);
  const parts = checked.map((each) => ({
    ...each.planned,
    warnings: each.remarks.map(({ text, fix = '' }) => `${text} ${fix}`.trim()),
  }));
  return { ...plan, parts };
}

/** The error for files that fail whatever their parts are; undefined if there are none. */
export function findFaults(files: readonly InspectedFile[]): StepError | undefined {
  // A file that is no scan, and that a pattern matches by mistake, is no scan that failed.
  const meant = files.filter((file) => !isMistake(file));
  const faults = meant.flatMap((file) => {
    const remark = checkKind({ file }) ?? checkSyntax({ file });
    return remark?.level === 'error' ? [spell(remark, `'${file.displayPath}'`, file)] : [];
  });
  return faults.length === 0 ? undefined : makeError(faults);
}

function makeError(errors: readonly Remark[]): StepError {
  const faults = errors.map(({ text }) => text);
  return new StepError('contents', faults, [...new Set(errors.flatMap(({ fix = [] }) => fix))]);
}

/** A remark in sentences, with what messages call the file. */
function spell({ level, text, fix }: Remark, name: string, { input }: InspectedFile): Remark {
  return { level, text: `${name} ${text}.`, fix: fix?.replace('INPUT', `\`${input}\``) };
}

/** The first error of a file, which says it all, or each warning. */
function checkPart(planned: PlannedPart): readonly Remark[] {
  const remarks = CHECKS.flatMap((check) => check(planned) ?? []);
  const error = remarks.find(({ level }) => level === 'error');
  return (error === undefined ? remarks : [error]).map((remark) =>
    spell(remark, describePart(planned), planned.file),
  );
}

/**
 * Finds an SBOM and a report that are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities; a report also beside an empty SBOM, which a tool writes that found no project. A file that is not
 * whole may be anything, and what is signed too.
 */
function findSwap(parts: readonly PlannedPart[]): Remark | undefined {
  const [first, second] = (['SBOM', 'report'] as const).map((role) =>
    parts.find(({ part }) => part.expects === role),
  );
  if (first === undefined || second === undefined) return undefined;
  const [sbom, report] = [first.file.content, second.file.content];
  const isEmpty = report.format === 'cyclonedx' && report.components === 0;
  const isSbom = report.role === 'SBOM' || (isEmpty && report.vulnerabilities === undefined);
  const isReport = sbom.role === 'report';
  const isSwapped = isReport ? isSbom : !isRecognised(sbom) && isBareSbom(report);
  const isUnclear = parts.some((planned) => checkKind(planned) !== undefined);
  if (isUnclear || !isSwapped) return undefined;
  const taken = [
    `${describePart(first)} is ${isReport ? 'a report' : 'no SBOM'} (${describeContent(sbom)})`,
    `${describePart(second)} is an SBOM (${describeContent(report)})`,
  ];
  const named = parts.map(({ part }) => `the ${part.expects} as \`${part.input}\``);
  return {
    level: 'error',
    text: `${taken.join(', and ')}: they are swapped.`,
    fix: `Set ${named.join(' and ')}.`,
  };
}
