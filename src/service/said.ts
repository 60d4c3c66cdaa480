import { isObject } from '../json.ts';
import { splitLines } from '../text.ts';

/** A line of a stack: `at a.B(C c) in d.cs:line 1`, `at a.b(c.java:1) ~[d.jar:1]`, `at a.b (<anonymous>)`. */
const CALL = /^at [^\s()]+(?:\(.*\)(?: in .*| ~?\[.*)?| \(<anonymous>\))$/;
/** One with a file: `at async f (/a/b.js:1:2)`, `at /a/b.js:1:2`. An address with a port is none. */
const PLACE = /^at (?:async |[^()]+ \()?(?!https?:)\S*[\\/][^\s\\/]*:\d+\)?$/;
/** How Python begins a stack, whose last line is the exception. */
const TRACEBACK = 'Traceback (most recent call last)';
/** How .NET and Java begin the cause of an exception. */
const CAUSES = ['---> ', 'Caused by: '];

/** `POST /v1`, as many services set the `instance` of a problem. */
const REQUEST_LINE = /^[A-Z]{3,7} (?:https?:\/)?\/\S*(?: HTTP\/[\d.]+)?$/;
/** A time of day, perhaps with its date, in digits. */
const TIME = /^(?=.*\d:\d\d)[\d\s.,:/+TZ-]+$/;

/**
 * Returns what a text says. Of a stack, that is what is above it, and the last cause: below are names of parameters, and on
 * pages for developers the headers of the request.
 */
export function readSaid(text: string): string {
  return cutStack(splitLines(text)).filter(saysSomething).join('\n');
}

/** Whether a line says something, and is not only a time or the request's own line. */
function saysSomething(line: string): boolean {
  const text = line.trim();
  return !REQUEST_LINE.test(text) && !TIME.test(text);
}

function cutStack(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith(TRACEBACK) || isFrame(line.trim()));
  if (start < 0) return lines;
  const traceback = lines.findLastIndex((line) => line.startsWith(TRACEBACK));
  const cause =
    traceback < 0
      ? lines.findLast(isCause)
      : lines.slice(traceback + 1).find((line) => line !== '' && line === line.trimStart());
  const above = lines.slice(0, start).filter((line) => !isCause(line));
  return [...above, ...(cause === undefined ? [] : [cause])];
}

function isFrame(line: string): boolean {
  return CALL.test(line) || PLACE.test(line);
}

function isCause(line: string): boolean {
  return CAUSES.some((start) => line.trimStart().startsWith(start));
}

/** The values of JSON as lines, each with the name of its member, which a list or an object has as a line of its own. */
export function listSaid(value: unknown, name = ''): readonly string[] {
  const label = name === '' ? [] : [`${name}:`];
  if (!isObject(value)) {
    const text = String(value);
    return text === '' || value === null ? [] : [[...label, text].join(' ')];
  }
  const inner = Array.isArray(value)
    ? value.flatMap((each) => listSaid(each))
    : Object.entries(value).flatMap(([key, member]) => listSaid(member, key));
  return [...label, ...inner];
}
