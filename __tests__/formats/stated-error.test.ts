import { expect, jest, test } from '@jest/globals';
import {
  findErrorBesideNothing,
  findStatedError,
  findStreamedError,
} from '../../src/formats/stated-error.ts';
import { inspect } from '../support/documents.ts';
import { evaluate } from '../support/workspace.ts';

/** An error of `dotnet list`. */
const NOT_RESTORED = { project: 'a.csproj', level: 'error', text: 'Run restore.' };

test.each<[string, unknown, string?]>([
  ['pnpm', { error: { code: 'ERR_PNPM_AUDIT', message: 'Got 410' } }, 'Got 410'],
  ['npm', { message: 'x', error: { summary: 'No\nlockfile.', detail: 'x' } }, 'No lockfile'],
  ['yarn', { type: 'error', data: 'No network.' }, 'No network'],
  ['Snyk', { ok: false, error: 'No\n login.', path: '/' }, 'No login'],
  ['Snyk with several projects', [{ ok: false, error: 'a', path: '/' }, { error: 'b' }], 'a'],
  ['GitHub', { message: 'Not Found', documentation_url: 'https://a', status: '404' }, 'Not Found'],
  ['GitHub without a status', { message: 'No match', documentation_url: 'https://a' }, 'No match'],
  ['GitLab', { message: 'Invalid password' }, 'Invalid password'],
  ['NestJS', { statusCode: 404, message: 'Cannot GET /' }, 'Cannot GET /'],
  ['JSend', { status: 'fail', data: 'x' }, 'x'],
  ['a code', { code: 'InternalFailure', message: 'x' }, 'x'],
  ['a failed success', { success: false, message: 'x' }, 'x'],
  ['a failed status', { status: 'failed', message: 'x' }, 'x'],
  ['OAuth', { error: 'scope', error_description: 'It is too small', scope: 'api' }, 'scope'],
  ['Artifactory', { errors: [{ status: 401, message: 'Bad credentials' }] }, 'Bad credentials'],
  ['Django REST framework', { detail: 'Invalid token.' }, 'Invalid token'],
  ['Spring Boot', { timestamp: 'x', status: 404, error: 'Not Found', path: '/' }, 'Not Found'],
  [
    'problem details',
    { type: 'about:blank', title: 'Gone', status: 410, instance: '/', traceId: 'a' },
    'Gone',
  ],
  ['AWS', { __type: 'UnrecognizedClientException', message: 'It is invalid' }, 'It is invalid'],
  ['a list of texts', { success: 0, errors: ['x', 'y'], message: 1 }, 'x'],
  ['an error that is true', { error: true, message: 'It failed' }, 'It failed'],
  ['a sentence with a number', { message: '0 of 3 hosts are up' }, '0 of 3 hosts are up'],
  [
    'npm with its request',
    { message: '403', headers: { a: ['b'] }, body: '<', error: { summary: '' } },
    '403',
  ],
  ['SonarQube', { errors: [{ msg: 'No rights' }] }, 'No rights'],
  [
    'JSON:API',
    { jsonapi: {}, errors: [{ title: 'a', detail: 'No project', links: {} }] },
    'No project',
  ],
  [
    'GraphQL',
    { data: null, errors: [{ message: 'x', locations: [{ line: 1 }], path: ['a'] }] },
    'x',
  ],
  [
    'Kubernetes',
    { kind: 'Status', metadata: {}, status: 'Failure', message: 'x', details: { group: 'a' } },
    'x',
  ],
  ['a code', { errorCode: 5, errorMessage: 'x' }, 'x'],
  ['Okta', { errorCode: 'E1', errorSummary: 'x', errorCauses: [] }, 'x'],
  ['Apigee', { fault: { faultstring: 'x', detail: { errorcode: 'a' } } }, 'x'],
  ['another member', { error: 'x', version: '1', results: {} }, 'x'],
  ['slurped lines of yarn', [{ type: 'error', data: 'x' }], 'x'],
  [
    'dotnet',
    { version: 1, sources: ['s'], problems: [{ level: 'warning', text: 'a' }, NOT_RESTORED] },
    'Run restore',
  ],
  // No errors.
  ['a part of the data of GraphQL', { data: { a: [{}] }, errors: [{ message: 'x' }] }],
  ['an empty list at any depth', { error: 'x', a: { b: { c: [] } } }],
  ['texts beside results', { errors: ['a.rb'], results: { a: 1 } }],
  ['texts by file beside results', { errors: { 'a.rb': 'x' }, results: { a: 1 } }],
  ['a finding with a status', { Status: 'FAIL', Message: 'open to the world', Severity: 'high' }],
  ['findings with an error each', [{ file: 'a.py', line: 3, error: 'x' }]],
  ['a number of errors', { errorCount: 3, message: '3 errors' }],
  ['a code of success', { errorCode: 0, message: 'x' }],
  ['a success', { ok: true, errors: [], message: 'done' }],
  ['a success with an error of 0', { error: 0, message: 'done' }],
  ['no error', { error: null, errors: {}, message: 'x' }],
  ['an empty error', { error: '', message: 'x', title: 'y' }],
  ['a blank error', { error: ' ' }],
  ['a code alone', { status: 404 }],
  ['an error without words', { error: { code: 1 } }],
  ['findings beside an error', { error: 'x', results: [] }],
  ['findings by name', { errors: { lodash: { severity: 'high' } } }],
  ['data beside an error', { type: 'error', data: { a: 'x' } }],
  ['a status that no text can be', { status: { toString: 1 }, message: 'x' }],
  ['a message beside another', { message: 'x', title: 'y' }],
  ['0 vulnerabilities', { detail: 'Of 0 of the 1204 dependencies are issues known' }],
  ['a title alone', { title: 'Report' }],
  ['a completed scan', { message: 'Scan completed' }],
  ['a success in words', { message: 'Successful' }],
  ['passed checks', { message: 'All checks passed' }],
  ['a passed state', { status: 'passed', message: 'x', code: '500' }],
  ['findings with a status', [{ status: 'FAIL', message: 'open to the world' }]],
  ['a list with another item', [{ error: 'x' }, {}]],
  ['warnings of dotnet', { version: 1, problems: [{ level: 'warning', text: 'x' }] }],
  ['problems of a linter', { problems: [{ ...NOT_RESTORED, path: 'a.js' }] }],
  ['problems beside another member', { problems: [NOT_RESTORED], summary: 1 }],
  ['an empty object', {}],
])('findStatedError reads %s', (...[, document, words]) => {
  expect(findStatedError(document)).toBe(words);
});

test.each<[readonly unknown[], string?]>([
  [[{ error: 'x', timestamp: 1 }, { errors: ['y'] }], 'x'],
  [
    [
      { type: 'warning', data: 'No licence' },
      { type: 'error', name: 1, data: 'No network' },
    ],
    'No network',
  ],
  [[{ type: 'warning', data: 'No licence' }]],
  [
    [
      { type: 'auditAdvisory', data: { a: 1 } },
      { type: 'error', data: 'x' },
    ],
  ],
  [[{ status: 'FAIL', message: 'open to the world' }]],
  [[{ error: 'x' }, { a: 1 }]],
])('findStreamedError reads %j', (...[documents, words]) => {
  expect(findStreamedError(documents)).toBe(words);
});

test.each<[string, unknown, string?]>([
  ['objects', { issues: [], errors: [{ message: 'No such directory.' }] }, 'No such directory'],
  ['with a severity', { issues: [], errors: [{ message: 'x', severity: 'error' }] }, 'x'],
  [
    'texts',
    { version: '1', data: [], messages: [], errors: ['No\nnetwork'], time: 1 },
    'No network',
  ],
  ['a text', { scan: { results: [] }, error: 'x' }, 'x'],
  // No failures.
  ['an empty list', { issues: [], errors: [] }],
  ['a count', { issues: [], errors: 3 }],
  ['beside no list', { time: 1, errors: ['x'] }],
  ['beside findings', { issues: [], runs: { results: [{}] }, errors: ['x'] }],
  ['beside a list of texts', { issues: [], files: ['a.js'], errors: ['x'] }],
  ...['fileName', 'line', 'ruleId', 'check_id'].map((name): [string, unknown] => [
    `with ${name}`,
    { issues: [], errors: [{ message: 'x' }, { message: 'x', [name]: 'a' }] },
  ]),
  ['in a list', [{ issues: [], error: 'x' }]],
])('findErrorBesideNothing reads errors that are %s', (...[, document, words]) => {
  expect(findErrorBesideNothing(document)).toBe(words);
});

test.each<object>([
  ...[true, 'OK', 'success', 'info', 'warning'].map((status) => ({ status, error: 'x' })),
  ...['file', 'path', 'line', 'location', 'severity', 'ruleId'].map((name) => ({
    errors: [{ [name]: 'x', message: 'x' }],
  })),
  ...'vulnerabilities issues findings problems violations secrets leaks errors matches'
    .split(' ')
    .map((found) => ({ message: `There were no known ${found}` })),
])('findStatedError takes %j for no error', (document) => {
  expect(findStatedError(document)).toBeUndefined();
});

test('findStatedError reads a long message in linear time', () => {
  const expression = `m.findStatedError({ message: 'no '.repeat(1_000_000) })`;
  expect(evaluate('formats/stated-error.ts', expression)).toMatch(/^no no .* …$/);
});

test.each([
  ['findStatedError', findStatedError],
  ['findStreamedError', findStreamedError],
])('%s reads the members of an item once', (_, find) => {
  const ownKeys = jest.fn((item: object) => Reflect.ownKeys(item));
  expect(find([new Proxy({ error: 'x' }, { ownKeys }), { error: 'y' }])).toBe('x');
  expect(ownKeys).toHaveBeenCalledTimes(1);
});

test('findStatedError reads any depth', () => {
  const deep: unknown = JSON.parse('{"error":'.repeat(100_000) + '"x"' + '}'.repeat(100_000));
  expect(findStatedError(deep)).toBeUndefined();
});

test('a document with an error is one only if it has no known format', () => {
  expect(inspect({ message: 'x' })).toMatchObject({
    format: 'json',
    kind: 'error',
    problem: 'only states an error: x',
  });
  expect(inspect({ bomFormat: 'CycloneDX', message: 'x' }).kind).toBeUndefined();
  const empty = { data: [], errors: ['x'] };
  expect(inspect(empty)).toMatchObject({ format: 'json', scan: 'failed', firstError: 'x' });
  expect(inspect(empty).kind).toBeUndefined();
  expect(inspect({ ...empty, bomFormat: 'CycloneDX' }).scan).toBeUndefined();
  const lines = '{"error":"x"}\n'.repeat(2);
  expect(inspect(lines).problem).toBe('only states an error: x');
  // More lines than are read.
  expect(inspect(lines.repeat(5)).problem).toBeUndefined();
});
