import type { Answer } from './problem.ts';
import type { ScriptedAnswer } from './types.ts';

/** An answer with the headers a script adds; they replace those of the same name. */
export function applyScript(script: ScriptedAnswer, answer: Answer): Answer {
  const { contentType, retryAfter } = script;
  const further = {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...script.headers,
  };
  const replaced = new Set(Object.keys(further).map((name) => name.toLowerCase()));
  const kept = Object.entries(answer.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...answer, headers: { ...Object.fromEntries(kept), ...further } };
}
