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
    const tool = readTool(run);
    const levels = readLevels(run, tool);
    return selectItems(run, 'results')
      .filter(isFinding)
      .map((result) => {
        const rule = findRule(result, tool);
        return rateResult(result, rule?.score, levels.get(rule) ?? rule?.level);
      });
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

/** The score of its rule, which code scanning reads too, or the level of a result or its rule (3.27.10). */
function rateResult(result: unknown, score: Severity = 'unknown', level = 'warning'): Severity {
  if (score !== 'unknown') return score;
  const isFailure = (findText(result, 'kind') ?? 'fail') === 'fail';
  return parseSeverity(findText(result, 'level') ?? (isFailure ? level : 'none'));
}

type Rule = ReturnType<typeof readRule>;

/** What a rule says of the severity of its results. */
function readRule(rule: unknown) {
  return {
    id: findText(rule, 'id') ?? '',
    guid: findText(rule, 'guid') ?? '',
    score: parseSeverity(findText(rule, 'properties/security-severity') ?? ''),
    level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
  };
}

/** The driver of a tool, or an extension (3.19). */
interface Component {
  /** Its name and its GUID. */
  readonly names: readonly string[];
  readonly rules: readonly Rule[];
  readonly byId: RulesById;
}

/** Rules by their ids and GUIDs. The first rule with an id has it. */
type RulesById = ReadonlyMap<string, Rule>;

/** A tool. Each rule is read once, and the time to find one does not depend on how many there are. */
interface Tool {
  readonly driver: Component;
  readonly extensions: readonly Component[];
  readonly byName: ReadonlyMap<string, Component>;
  /** The rules of all components. */
  readonly byId: RulesById;
}

function readTool(run: unknown): Tool {
  const driver = readComponent(select(run, 'tool/driver')[0]);
  const extensions = select(run, 'tool/extensions').flat().map(readComponent);
  const all = [driver, ...extensions];
  const named = all.flatMap((each) => each.names.map((name) => [name, each] as const));
  const byName = new Map(named.toReversed());
  return { driver, extensions, byName, byId: indexRules(all.flatMap(({ rules }) => rules)) };
}

function readComponent(component: unknown): Component {
  const rules = select(component, 'rules').flat().map(readRule);
  const names = [...selectTexts(component, 'guid'), ...selectTexts(component, 'name')];
  return { names, rules, byId: indexRules(rules) };
}

function indexRules(rules: readonly Rule[]): RulesById {
  const byId = rules.flatMap((rule) => [[rule.guid, rule] as const, [rule.id, rule] as const]);
  return new Map(byId.toReversed());
}

/** The levels that an invocation sets (3.20.5); with several it is not said here which is that of a result. */
function readLevels(run: unknown, tool: Tool): ReadonlyMap<Rule | undefined, string> {
  const levels = new Map<Rule | undefined, string>();
  const invocations = selectItems(run, 'invocations');
  if (invocations.length !== 1) return levels;
  for (const override of selectItems(invocations, 'ruleConfigurationOverrides')) {
    const [descriptor] = select(override, 'descriptor');
    const rule = findRule({ rule: descriptor }, tool);
    const level = findText(override, 'configuration/level');
    if (rule !== undefined && level !== undefined) levels.set(rule, level);
  }
  return levels;
}

/** The rule of a result, by its index or its id (3.27.5 to 3.27.7), or by an object with these (3.52). */
function findRule(result: unknown, tool: Tool): Rule | undefined {
  const [reference] = select(result, 'rule');
  const component = findComponent(reference, tool);
  const index = readMember(reference, 'index') ?? readMember(result, 'ruleIndex');
  const indexed = component?.rules[Number(index ?? -1)];
  const id = readMember(result, 'ruleId') ?? readMember(reference, 'id');
  const ids = listIds(id, readMember(reference, 'guid'));
  // An index may be stale: it counts if the rule there has the id, or if none has.
  if (indexed !== undefined && (ids.length === 0 || ids.includes(indexed.id))) return indexed;
  const own = ids.map((each) => component?.byId.get(each));
  const all = ids.map((each) => tool.byId.get(each));
  return [...own, ...all].find((rule) => rule !== undefined) ?? indexed;
}

/** The component that a reference names (3.54), or the driver. */
function findComponent(
  reference: unknown,
  { driver, extensions, byName }: Tool,
): Component | undefined {
  const index = findText(reference, 'toolComponent/index');
  const extension = index === undefined ? undefined : extensions[Number(index)];
  if (extension !== undefined) return extension;
  const name = findText(reference, 'toolComponent/guid', 'toolComponent/name');
  return name === undefined ? driver : byName.get(name);
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
