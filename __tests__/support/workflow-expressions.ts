import { runInNewContext } from 'node:vm';
import { readMembers } from './workflows.ts';

export type Texts = Readonly<Record<string, string>>;

/** The values that expressions may name, by the first part of their names. */
export type Context = Readonly<Record<string, unknown>>;

/** A scalar as text; empty for anything else. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Whether a job or a step runs: without a status function only after successes. */
export function isDue(condition: unknown, context: Context, isFailed: boolean): boolean {
  const text = (toText(condition) || 'success()').replace(/^\$\{\{(.*)\}\}$/, '$1');
  const hasStatus = /\b(?:success|failure|cancelled|always)\(\)/.test(text);
  return (hasStatus || !isFailed) && Boolean(evaluate(text, context, isFailed));
}

/** The members of a mapping with their expressions evaluated. */
export function evaluateAll(members: unknown, context: Context): Texts {
  return Object.fromEntries(
    Object.entries(readMembers(members)).map(([name, value]) => [
      name,
      toText(value).replace(/\$\{\{(.*?)\}\}/g, (_, text: string) =>
        toText(evaluate(text, context)),
      ),
    ]),
  );
}

/** Evaluates an expression of the runner, whose syntax is that of JavaScript except for its names. */
function evaluate(text: string, context: Context, isFailed = false): unknown {
  const script = text.replace(/'[^']*'|\b[a-z]+(?:\.[\w-]+)+/g, (name) =>
    name.startsWith("'") ? name : JSON.stringify(find(name, context) ?? ''),
  );
  const functions = {
    success: () => !isFailed,
    failure: () => isFailed,
    cancelled: () => false,
    always: () => true,
  };
  return runInNewContext(script, functions);
}

/** The value of a name such as `steps.upload.outputs.error`; throws if the first two parts are unknown. */
function find(name: string, context: Context): unknown {
  const [root = '', member = '', ...rest] = name.split('.');
  const isOptional = root === 'steps' || root === 'needs';
  if (!isOptional && !Object.hasOwn(readMembers(context[root]), member)) {
    throw new TypeError(`no value for ${name}`);
  }
  return [member, ...rest].reduce<unknown>(
    (value, part) => readMembers(value)[part],
    context[root],
  );
}
