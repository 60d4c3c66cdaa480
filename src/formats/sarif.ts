import { parseSeverity } from './severity.ts';
import type { Findings, Severity } from './severity.ts';
import { findText, hasSign, select, selectItems, selectTexts } from './values.ts';

// SARIF 2.1.0: the sections are those of its specification.

/**
 * The results of all runs that are findings; undefined of versions before 2.1, whose members differ, and if no run has a
 * list of results.
 */
export function readSarif(document: unknown): Findings | undefined {
  const runs = selectItems(document, 'runs');
  const isEarlier = isEarlierSarif(findText(document, 'version'));
  if (isEarlier || !runs.some(hasResults)) return undefined;
  return runs.flatMap((run) => {
    const rules = readRules(run);
    return selectItems(run, 'results')
      .filter(isFinding)
      .map((result) => {
        const rule = findRule(result, rules);
        return rateResult(result, rule?.score, rule?.level);
      });
  });
}

/** Whether a version is before 2.1. */
export function isEarlierSarif(version = ''): boolean {
  return /^(?:1|2\.0)\./.test(version);
}

function hasResults(run: unknown): boolean {
  return select(run, 'results').some(Array.isArray);
}

/** What results have that passed or are absent, and those with suppressions of which one is not accepted (3.35.3). */
const NO_FINDING = ['kind=pass', 'kind=notApplicable', 'baselineState=absent'];
const NOT_ACCEPTED = ['suppressions/status=underReview', 'suppressions/status=rejected'];

/** Whether a result is a finding. */
export function isFinding(result: unknown): boolean {
  if (NO_FINDING.some((sign) => hasSign(result, sign))) return false;
  const isSuppressed = selectItems(result, 'suppressions').length > 0;
  return !isSuppressed || NOT_ACCEPTED.some((sign) => hasSign(result, sign));
}

/** The score of its rule, which code scanning reads too, or the level of a result or its rule (3.27.10). */
function rateResult(result: unknown, score: Severity = 'unknown', level = 'warning'): Severity {
  if (score !== 'unknown') return score;
  const isFailure = (findText(result, 'kind') ?? 'fail') === 'fail';
  return parseSeverity(findText(result, 'level') ?? (isFailure ? level : 'none'));
}

export type Rule = ReturnType<typeof readRule>;

/** What a rule says of its results. */
function readRule(rule: unknown) {
  return {
    id: findText(rule, 'id'),
    score: parseSeverity(findText(rule, 'properties/security-severity')),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
    tags: selectTexts(rule, 'properties/tags'),
  };
}

/**
 * The rules of a run's tool (3.18), each read once: by the number of their component and their index (`0#7`), by that and
 * their id (`0/CA1000`), and by their id alone (`/CA1000`), of which the first rule has each. The driver is component 0, and
 * its extensions follow.
 */
type Rules = ReadonlyMap<string, Rule>;

/** Reads the rules of a run's tool. */
export function readRules(run: unknown): Rules {
  const components = [select(run, 'tool/driver')[0], ...select(run, 'tool/extensions').flat()];
  const rules = components.flatMap((component, number) =>
    select(component, 'rules')
      .flat()
      .map(readRule)
      .flatMap((rule, index) =>
        [`${number}#${index}`, `${number}/${rule.id}`, `/${rule.id}`].map(
          (key) => [key, rule] as const,
        ),
      ),
  );
  return new Map(rules.toReversed());
}

/** The rule of a result, by its index or its id (3.27.5 to 3.27.7) in the driver, or in the extension that it names. */
export function findRule(result: unknown, rules: Rules): Rule | undefined {
  const component = Number(findText(result, 'rule/toolComponent/index') ?? -1) + 1;
  const indexed = rules.get(`${component}#${findText(result, 'rule/index', 'ruleIndex')}`);
  const id = findText(result, 'ruleId', 'rule/id');
  if (id === undefined) return indexed;
  // It may have one part more than that of its rule.
  const ids = [id, id.split('/').slice(0, -1).join('/')];
  // An index may be stale: it counts if the rule there has the id, or if none has.
  if (ids.some((each) => each === indexed?.id)) return indexed;
  const keys = [`${component}/`, '/'].flatMap((start) => ids.map((each) => start + each));
  return keys.map((key) => rules.get(key)).find((rule) => rule !== undefined) ?? indexed;
}
