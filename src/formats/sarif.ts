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
    id: findText(rule, 'id') ?? '',
    score: parseSeverity(findText(rule, 'properties/security-severity')),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
    tags: selectTexts(rule, 'properties/tags'),
  };
}

/** Rules in their order, and by their ids. The first rule with an id has it. */
interface Rules {
  readonly inOrder: readonly Rule[];
  readonly byId: ReadonlyMap<string, Rule>;
}

/** The rules of a tool (3.18), each read once: the time to find one does not depend on how many there are. */
interface ToolRules {
  /** Those of its driver, then those of each extension. */
  readonly components: readonly Rules[];
  readonly all: Rules;
}

/** Reads the rules of a run's tool. */
export function readRules(run: unknown): ToolRules {
  const components = [select(run, 'tool/driver')[0], ...select(run, 'tool/extensions').flat()];
  const lists = components.map((each) => select(each, 'rules').flat().map(readRule));
  return { components: lists.map(indexRules), all: indexRules(lists.flat()) };
}

function indexRules(inOrder: readonly Rule[]): Rules {
  return { inOrder, byId: new Map(inOrder.map((rule) => [rule.id, rule] as const).toReversed()) };
}

/** The rule of a result, by its index or its id (3.27.5 to 3.27.7) in the driver, or in the extension that it names. */
export function findRule(result: unknown, { components, all }: ToolRules): Rule | undefined {
  const component = components[Number(findText(result, 'rule/toolComponent/index') ?? -1) + 1];
  const indexed = component?.inOrder[Number(findText(result, 'rule/index', 'ruleIndex'))];
  const ids = listIds(findText(result, 'ruleId', 'rule/id'));
  // An index may be stale: it counts if the rule there has the id, or if none has.
  if (indexed !== undefined && (ids.length === 0 || ids.includes(indexed.id))) return indexed;
  const named = [component, all].flatMap((rules) => ids.map((id) => rules?.byId.get(id)));
  return named.find((rule) => rule !== undefined) ?? indexed;
}

/** A result's id may have more parts than that of its rule; no tool writes more than these. */
const MAX_PARTS = 8;

/** An id, and those without its last parts: `a/b/c`, `a/b` and `a`. */
function listIds(id = ''): readonly string[] {
  const ids: string[] = [];
  for (let end = id.length; end > 0 && ids.length < MAX_PARTS; end = id.lastIndexOf('/', end - 1)) {
    ids.push(id.slice(0, end));
  }
  return ids;
}
