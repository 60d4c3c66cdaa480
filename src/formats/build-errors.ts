import { listLines } from '../text.ts';
import type { StatedErrors } from './format.ts';
import { findRule, isFinding, readRules } from './sarif.ts';
import type { Rule } from './sarif.ts';
import { findText, hasSign, selectItems } from './values.ts';

// What .NET's compilers, and Roslynator, say of a build among the results of its analyzers: those of a project that does not
// compile did not run, or in part, although the log states that the build was successful.

/** How the names of these tools begin. Only compilers write rules. */
const COMPILER = 'Microsoft (R) Visual ';
const TOOLS = [COMPILER, 'Roslynator'];
/** The tags of a compiler's own errors: a warning that is an error in this project can be configured. */
const ERROR_TAGS = ['Compiler', 'NotConfigurable'];
/** The ids of a compiler's errors, to which Roslynator gives no text. */
const ERROR_ID = /^(?:CS|BC)\d+$/;
/** The rules of a compiler by which analyzers were not loaded, or threw. */
const UNLOADED = 'CS8032 CS8033 CS8034 CS8850 CS9057 BC42376 BC42377 BC42378 AD0001'.split(' ');

/** Whether a tool is one of .NET's compilers. */
export function isCompiler(tool: string): boolean {
  return tool.startsWith(COMPILER);
}

/** Reads what a SARIF log says of its builds. A scan failed by the errors of compilers, unless it has other runs. */
export function readBuildErrors(document: unknown): readonly StatedErrors[] {
  const runs = selectItems(document, 'runs');
  const builds = runs.filter(isBuild).map(readBuild);
  const failed = builds.filter(({ errors }) => errors.length > 0);
  return [
    ...stateErrors(
      failed.flatMap(({ errors }) => errors),
      failed.length === runs.length,
    ),
    ...stateErrors(
      builds.flatMap(({ unloaded }) => unloaded),
      false,
    ),
  ];
}

function isBuild(run: unknown): boolean {
  const name = findText(run, 'tool/driver/name');
  return TOOLS.some((tool) => name?.startsWith(tool));
}

/** The results that are errors of the compiler, and those that say that an analyzer did not run. */
function readBuild(run: unknown) {
  const rules = readRules(run);
  const results = selectItems(run, 'results').filter(isFinding);
  return {
    errors: results.filter((each) => isError(each, findRule(each, rules))),
    unloaded: results.filter((each) => UNLOADED.includes(findRule(each, rules)?.id ?? '')),
  };
}

function isError(result: unknown, rule: Rule | undefined): boolean {
  if (!hasSign(result, 'level=error')) return false;
  if (rule !== undefined) return ERROR_TAGS.every((tag) => rule.tags.includes(tag));
  const isCompilers = ERROR_ID.test(findText(result, 'ruleId') ?? '');
  return isCompilers && findText(result, 'message/text') === undefined;
}

/** The first line of the text of the first result, or its id, and how many there are; nothing if there are none. */
function stateErrors(results: readonly unknown[], isFatal: boolean): readonly StatedErrors[] {
  const [line] = listLines(findText(results[0], 'message/text', 'ruleId') ?? '');
  return results.slice(0, 1).map(() => ({ count: results.length, isFatal, words: line ?? '' }));
}
