import { isObject } from '../json.ts';
import { parseSeverity } from './severity.ts';
import type { Findings, Severity } from './severity.ts';
import { findText, hasMark, readMember, select, selectItems, selectTexts } from './values.ts';

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
    const ruleOf = readRules(run);
    return selectItems(run, 'results')
      .filter(isFinding)
      .map((result) => rateResult(result, ruleOf(result)));
  });
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

/** Finds the rule of a result of this run. Each rule is read once, and usually looked up once. */
function readRules(run: unknown): (result: unknown) => Rule | undefined {
  const driver = readComponent(select(run, 'tool/driver')[0]);
  const extensions = select(run, 'tool/extensions').flat().map(readComponent);
  const levels = new Map<Rule | undefined, string>();
  const known = new Map<string, Rule | undefined>();
  const find = (reference: Reference): Rule | undefined => {
    const rule = findRule(reference, driver, extensions);
    const level = levels.get(rule);
    return rule === undefined || level === undefined ? rule : { ...rule, level };
  };
  const invocations = selectItems(run, 'invocations');
  // An invocation may have levels of its own (3.20.5); with several it is not said here which is that of a result.
  const overrides =
    invocations.length === 1 ? selectItems(invocations, 'ruleConfigurationOverrides') : [];
  for (const override of overrides) {
    const level = findText(override, 'configuration/level');
    const [rule] = select(override, 'descriptor');
    if (level !== undefined) levels.set(findRule({ rule }, driver, extensions), level);
  }
  return (result) => {
    const id = readMember(result, 'ruleId');
    const index = readMember(result, 'ruleIndex');
    const rule: unknown = isObject(result) ? Reflect.get(result, 'rule') : undefined;
    if (rule !== undefined) return find({ id, index, rule });
    const key = `${index} ${id}`;
    if (!known.has(key)) known.set(key, find({ id, index }));
    return known.get(key);
  };
}

/** How a result names its rule: by its own members, and by an object (3.52). */
interface Reference {
  readonly id?: string | undefined;
  readonly index?: string | undefined;
  readonly rule?: unknown;
}

/** The rule of a result, by its index or its id (3.27.5 to 3.27.7). */
function findRule(
  { rule, id = readMember(rule, 'id'), index }: Reference,
  driver: Component,
  extensions: readonly Component[],
): Rule | undefined {
  const all = [driver, ...extensions];
  const place = findText(rule, 'toolComponent/index');
  const name = findText(rule, 'toolComponent/guid', 'toolComponent/name');
  const component =
    (place === undefined ? undefined : extensions[Number(place)]) ??
    (name === undefined ? driver : all.find(({ names }) => names.includes(name)));
  const indexed = component?.rules[Number(readMember(rule, 'index') ?? index ?? -1)];
  const ids = listIds(id, readMember(rule, 'guid'));
  // An index may be stale: it counts if the rule there has the id, or if none has.
  if (indexed !== undefined && (ids.length === 0 || ids.includes(indexed.id))) return indexed;
  const own = component === undefined ? [] : [component];
  return findById(own, ids) ?? findById(all, ids) ?? indexed;
}

interface Component {
  /** Its name and its GUID. */
  readonly names: readonly string[];
  readonly rules: readonly Rule[];
  readonly byId: ReadonlyMap<string, Rule>;
}

/** The driver of a tool, or an extension (3.19). */
function readComponent(component: unknown): Component {
  const rules = select(component, 'rules').flat().map(readRule);
  const byId = rules.flatMap((rule) => [[rule.guid, rule] as const, [rule.id, rule] as const]);
  const names = [...selectTexts(component, 'guid'), ...selectTexts(component, 'name')];
  // The first rule with an id has it.
  return { names, rules, byId: new Map(byId.toReversed()) };
}

/** The rule with the first of these ids that one has. */
function findById(components: readonly Component[], ids: readonly string[]): Rule | undefined {
  for (const id of ids) {
    const found = components.find(({ byId }) => byId.has(id));
    if (found !== undefined) return found.byId.get(id);
  }
  return undefined;
}

/** A result's id may have more parts than that of its rule; no tool writes more than these. */
const MAX_PARTS = 8;

/** An id, and those without its last parts: `a/b/c`, `a/b` and `a`; then another. */
function listIds(id = '', other = ''): readonly string[] {
  const ids = [id];
  for (let end = id.lastIndexOf('/'); end > 0 && ids.length < MAX_PARTS;) {
    ids.push(id.slice(0, end));
    end = id.lastIndexOf('/', end - 1);
  }
  return [...ids, other].filter((each) => each !== '');
}

/** What a rule says of the severity of its results. */
function readRule(rule: unknown) {
  return {
    id: findText(rule, 'id') ?? '',
    guid: findText(rule, 'guid') ?? '',
    score: parseSeverity(findText(rule, 'properties/security-severity') ?? ''),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
  };
}
