import { parseSeverity } from './severity.ts';
import type { Findings, Severity } from './severity.ts';
import { findText, readMember, hasMark, select, selectItems } from './values.ts';

// SARIF 2.1.0: the sections are those of its specification.

/**
 * The results of all runs that are findings; undefined of versions before 2.1, whose members differ, and if no run has a
 * list of results.
 */
export function readSarif(document: unknown): Findings | undefined {
  const runs = selectItems(document, 'runs');
  const isEarlier = /^(?:1|2\.0)\./.test(findText(document, 'version') ?? '');
  if (isEarlier || !runs.some(hasResults)) return undefined;
  return runs.flatMap((run) => {
    const findRule = readRules(run);
    return selectItems(run, 'results')
      .filter(isFinding)
      .map((result) => rateResult(result, findRule(result)));
  });
}

/** Whether no run ran, or one has no list of results, so did not run (3.14.23), or states that it failed (appendix I). */
export function isSarifFailed(document: unknown): boolean {
  const runs = selectItems(document, 'runs');
  return (
    runs.length === 0 ||
    !runs.every(hasResults) ||
    hasMark(document, 'runs/invocations/executionSuccessful=false') ||
    hasMark(document, 'runs/invocations/toolExecutionNotifications/level=error') ||
    hasMark(document, 'runs/invocations/toolConfigurationNotifications/level=error')
  );
}

function hasResults(run: unknown): boolean {
  return select(run, 'results').some(Array.isArray);
}

/** Results that passed, are absent or have suppressions that are all accepted (3.35.3) are not findings. */
function isFinding(result: unknown): boolean {
  if (['pass', 'notApplicable'].includes(readMember(result, 'kind') ?? '')) return false;
  if (readMember(result, 'baselineState') === 'absent') return false;
  const suppressions = selectItems(result, 'suppressions');
  return (
    suppressions.length === 0 ||
    suppressions.some((each) =>
      ['underReview', 'rejected'].includes(readMember(each, 'status') ?? ''),
    )
  );
}

/** What a rule says of the severity of its results. */
interface Rule {
  readonly id: string;
  readonly score: Severity;
  readonly level: string;
}

/** The score of its rule, which code scanning reads too, or the level of a result (3.27.10). */
function rateResult(result: unknown, rule: Rule | undefined): Severity {
  if (rule !== undefined && rule.score !== 'unknown') return rule.score;
  const isFailure = (readMember(result, 'kind') ?? 'fail') === 'fail';
  const ruled = isFailure ? (rule?.level ?? 'warning') : 'none';
  return parseSeverity(readMember(result, 'level') ?? ruled);
}

/**
 * Returns the rule of a result of this run (3.27.5 to 3.27.7): the one at its index if that has the result's id, else the
 * first with this id, else the one at its index. Each rule is read once, however many results it has.
 */
function readRules(run: unknown): (result: unknown) => Rule | undefined {
  const driver = selectItems(run, 'tool/driver/rules').map(readRule);
  const others = selectItems(run, 'tool/extensions/rules').map(readRule);
  const byId = new Map([...driver, ...others].toReversed().map((rule) => [rule.id, rule]));
  return (result) => {
    const id = readMember(result, 'ruleId');
    const indexed = driver[Number(readMember(result, 'ruleIndex') ?? -1)];
    return id === undefined || id === indexed?.id ? indexed : (byId.get(id) ?? indexed);
  };
}

function readRule(rule: unknown): Rule {
  return {
    id: readMember(rule, 'id') ?? '',
    score: parseSeverity(findText(rule, 'properties/security-severity') ?? ''),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
  };
}
