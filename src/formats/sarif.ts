import { parseSeverity } from './severity.ts';
import type { Findings, Severity } from './severity.ts';
import { findText, hasMark, select, selectItems } from './values.ts';

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

/** What an invocation of a failed run has (appendix I). */
const FAILED = [
  'runs/invocations/executionSuccessful=false',
  'runs/invocations/toolExecutionNotifications/level=error',
  'runs/invocations/toolConfigurationNotifications/level=error',
];

/** Whether no run ran, or one has no list of results, so did not run (3.14.23), or failed. */
export function isSarifFailed(document: unknown): boolean {
  const runs = selectItems(document, 'runs');
  const isComplete = runs.length > 0 && runs.every(hasResults);
  return !isComplete || FAILED.some((mark) => hasMark(document, mark));
}

function hasResults(run: unknown): boolean {
  return select(run, 'results').some(Array.isArray);
}

/** What results have that passed or are absent, and those with suppressions of which one is not accepted (3.35.3). */
const NO_FINDING = ['kind=pass', 'kind=notApplicable', 'baselineState=absent'];
const NOT_ACCEPTED = ['suppressions/status=underReview', 'suppressions/status=rejected'];

function isFinding(result: unknown): boolean {
  if (NO_FINDING.some((mark) => hasMark(result, mark))) return false;
  const isSuppressed = selectItems(result, 'suppressions').length > 0;
  return !isSuppressed || NOT_ACCEPTED.some((mark) => hasMark(result, mark));
}

type Rule = ReturnType<typeof readRule>;

/** The score of its rule, which code scanning reads too, or the level of a result (3.27.10). */
function rateResult(result: unknown, rule: Rule | undefined): Severity {
  if (rule !== undefined && rule.score !== 'unknown') return rule.score;
  const isFailure = (findText(result, 'kind') ?? 'fail') === 'fail';
  const ruled = isFailure ? (rule?.level ?? 'warning') : 'none';
  return parseSeverity(findText(result, 'level') ?? ruled);
}

/**
 * Finds the rule of a result of this run by its id, or by its index (3.27.5 to 3.27.7). Each rule is read once, however
 * many results it has.
 */
function readRules(run: unknown): (result: unknown) => Rule | undefined {
  const driver = selectItems(run, 'tool/driver/rules').map(readRule);
  const others = selectItems(run, 'tool/extensions/rules').map(readRule);
  const byId = new Map([...others, ...driver].map((rule) => [rule.id, rule]));
  return (result) => {
    const id = findText(result, 'ruleId');
    const named = id === undefined ? undefined : byId.get(id);
    return named ?? driver[Number(findText(result, 'ruleIndex') ?? -1)];
  };
}

/** What a rule says of the severity of its results. */
function readRule(rule: unknown) {
  return {
    id: findText(rule, 'id') ?? '',
    score: parseSeverity(findText(rule, 'properties/security-severity') ?? ''),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
  };
}
