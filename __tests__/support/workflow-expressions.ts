import { runInNewContext } from 'node:vm';
import { readMembers } from './workflows.ts';

export type Texts = Readonly<Record<string, string>>;

/** The values that expressions may name, by the first part of their names. */
export type Context = Readonly<Record<string, unknown>>;

/** A scalar as text; empty for anything else. */
export function toText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Whether a job or a step runs: without a status function only after successes. */
export function isDue(condition: unknown, context: Context, isFailed: boolean): boolean {
  const text = (toText(condition) || 'success()').replace(/^\$\{\{(.*)\}\}$/, '$1');
  const hasStatus = /\b(?:success|failure|cancelled|always)\(\)/.test(text);
  return (hasStatus || !isFailed) && Boolean(evaluate(text, context, isFailed));
}

/** The members of a mapping with their expressions evaluated. */
export function evaluateAll(members: unknown, context: Context): Texts {
  const fill = (value: unknown): string =>
    toText(value).replace(/\$\{\{(.*?)\}\}/g, (_, text: string) => toText(evaluate(text, context)));
  const entries = Object.entries(readMembers(members));
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value)]));
}

/** Evaluates an expression of the runner: JavaScript, but that a member may be missing or have a hyphen. */
function evaluate(text: string, context: Context, isFailed = false): unknown {
  const script = text.replace(/'[^']*'|\.([\w-]+)/g, (found, member?: string) =>
    member === undefined ? found : `?.['${member}']`,
  );
  const functions = {
    success: () => !isFailed,
    failure: () => isFailed,
    cancelled: () => false,
    always: () => true,
  };
  return runInNewContext(script, { ...context, ...functions });
}
