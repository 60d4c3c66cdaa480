import { expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { inspect } from '../support/documents.ts';

const COMPILER = 'Microsoft (R) Visual C# Compiler';
const TAGS = {
  CS0103: ['Compiler', 'Telemetry', 'NotConfigurable'],
  CS0414: ['Compiler', 'Telemetry'],
  CS9057: ['Compiler', 'Telemetry'],
  SCS0006: ['Security'],
};

interface Result {
  readonly ruleId: string;
  readonly level?: string;
  readonly message?: object;
  readonly suppressions?: readonly object[];
}

/** A run of the compiler, which always states that it was successful. */
function build(results: readonly Result[], name = COMPILER): object {
  const rules = Object.entries(TAGS).map(([id, tags]) => ({ id, properties: { tags } }));
  const invocations = [{ executionSuccessful: true }];
  return { tool: { driver: { name, rules } }, invocations, results };
}

/** A run of Roslynator, which has no rules. */
function analyze(...results: readonly Result[]): object {
  return { tool: { driver: { name: 'Roslynator' } }, results };
}

const ERROR: Result = { ruleId: 'CS0103', level: 'error', message: { text: 'No such name' } };
const WARNING: Result = { ruleId: 'CS0414', level: 'error', message: { text: 'Never used' } };
const OTHER: Result = { ruleId: 'SCS0006', level: 'error', message: { text: 'Weak hash' } };
const UNLOADED: Result = {
  ruleId: 'CS9057',
  level: 'warning',
  message: { text: 'Too new\n at A' },
};
const OWN: Result = { ruleId: 'BC30451', level: 'error', message: { text: '' } };
const FAILED = { scan: 'failed', firstError: 'No such name', errors: 1 } as const;
const PARTIAL = { scan: 'partial', firstError: 'Too new', errors: 1 } as const;

test.each<[string, readonly object[], Partial<Content>]>([
  ['an error of the compiler', [build([OTHER, ERROR])], { ...FAILED, findings: 2 }],
  ['the same of Visual Basic', [build([ERROR], 'Microsoft (R) Visual Basic Compiler')], FAILED],
  ['several', [build([ERROR, ERROR])], { ...FAILED, errors: 2 }],
  ['an error of one of two runs', [build([OTHER]), build([ERROR])], { ...FAILED, scan: 'partial' }],
  [
    'an error beside a run of another tool',
    [build([ERROR]), build([], 'lint')],
    { ...FAILED, scan: 'partial' },
  ],
  ['errors of both runs', [build([ERROR]), analyze(OWN)], { ...FAILED, errors: 2 }],
  ['an error that Roslynator found', [analyze(OWN)], { scan: 'failed', firstError: 'BC30451' }],
  ['an analyzer that was not loaded', [build([UNLOADED])], { ...PARTIAL, findings: 1 }],
  ['both', [build([UNLOADED, ERROR])], { ...FAILED, errors: 2 }],
])('%s is an error of the scan', (_, runs, expected) => {
  expect(inspect({ version: '2.1.0', runs })).toMatchObject(expected);
});

test.each<[string, object]>([
  ['a warning as error', build([WARNING])],
  ['an error of an analyzer', build([OTHER])],
  ['a warning of the compiler', build([{ ...ERROR, level: 'warning' }])],
  ['a suppressed error', build([{ ...ERROR, suppressions: [{ kind: 'inSource' }] }])],
  ['an error of another tool', build([ERROR, UNLOADED], 'lint')],
  ['a warning as error of Roslynator', analyze({ ...OWN, message: { text: 'Never used' } })],
  ['a warning of Roslynator', analyze({ ...OWN, level: 'warning' })],
  ['a finding of Roslynator', analyze({ ...OWN, ruleId: 'RCS1001' })],
  ['an analyzer that Roslynator names', analyze({ ...UNLOADED, level: 'error' })],
])('%s is no error of the scan', (_, run) => {
  expect(inspect({ version: '2.1.0', runs: [run] }).scan).toBeUndefined();
});
