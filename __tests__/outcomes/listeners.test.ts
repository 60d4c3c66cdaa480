// What a refusal says is wrong, what a step disproves, and what is guessed otherwise.
import { describe, expect, test } from '@jest/globals';
import { readEvidence } from '../../src/outcomes/evidence.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { makeAttempt } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { makeTask } from '../support/scans.ts';
import type { TaskSpec } from '../support/scans.ts';
import { SCAN_KEY, evaluate } from '../support/workspace.ts';

const PATH = '/tenant/v1/scanner/upload-file';
const PAIR: TaskSpec = { hasParts: true };
const OIDC: TaskSpec = { credentialKind: 'oidc' };
const V1: TaskSpec = { basePath: '/api/v1/' };
const OVER: TaskSpec = { token: `Bearer e30.${Buffer.from('{"exp":1}').toString('base64url')}.s` };
const GUESSED = 'key files operators';
const UNHEARD = 'words key files';
const LOGIN = 'https://scan.example/Account/Login?ReturnUrl=%2Fv1';
const IIS_PAGE = '<html><h2>404 - File or directory not found.</h2></html>';
const LARGE: TaskSpec = { bodyBytes: 30_000_001 };

/** A text of a server, or JSON. */
function say(
  status: number,
  body: string | object,
  headers: Record<string, string> = {},
): AttemptSpec {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { response: { status, headers, body: text } };
}

/** A page with a sentence. */
function show(status: number, sentence: string): AttemptSpec {
  return say(status, `<!doctype html><html><body><p>${sentence}</p></body></html>`);
}

/** A problem with field errors. */
function fault(status: number, errors: object): AttemptSpec {
  return say(status, { title: 'One or more validation errors occurred.', errors });
}

function lead(status: number, location: string): AttemptSpec {
  return say(status, '', { location });
}

function findCauses(spec: AttemptSpec, settings: TaskSpec = {}, accepted?: string): string {
  return (
    judge(readEvidence(makeAttempt(spec), makeTask(settings), accepted))?.causes.join(' ') ??
    'accepted'
  );
}

type Row = readonly [causes: string, spec: AttemptSpec, settings?: TaskSpec];

describe('what is said is the only cause', () => {
  test.each<Row>([
    // The key and the files, by the names of their parts, by the key itself, and by words of formats.
    ['key', fault(400, { ScanKey: ["The value '1' is not valid for ScanKey."] })],
    ['key', say(422, { detail: [{ loc: ['body', 'scan_key'], msg: 'Not a UUID' }] })],
    ['key', say(400, 'No scan key is known.')],
    ['key', say(400, `There is no ${SCAN_KEY.toUpperCase()}.`)],
    ['key', say(400, 'Failed to bind parameter "Guid ScanKey" from "1".')],
    // What is shown says nothing of it.
    ['key', say(400, { message: 'Validation failed', data: [{ key: 'ScanKey', errors: ['x'] }] })],
    ['key', say(200, { success: false, message: 'The ScanKey is not known.' })],
    ['key', say(403, 'The scan key is locked for uploads.')],
    ['key ScanJsonFile', fault(400, { scanJsonFile: ['No tool.'], scanKey: ['Closed.'] })],
    ['ScanJsonFile', fault(422, { ScanJsonFile: ['The Field is required in runs.'] })],
    ['VulnerabilitiesTool', fault(422, { VulnerabilitiesTool: ['No tool.'] }), PAIR],
    ['DependenciesCDX', say(500, { detail: 'DependenciesCDX: bad' }), PAIR],
    ['files', say(422, 'specVersion 1.7 is not supported.')],
    // Another form, by a field that the request does not have.
    ['form', fault(400, { Report: ['The Report field is required.'] })],
    ['form', fault(400, { Report: ['The Report field is required.'], ScanKey: ['x'] })],
    ['form', say(422, { detail: [{ loc: ['body', 'Report'], msg: 'Field required' }] })],
    [
      'form',
      say(400, { Report: ['No file was submitted.'], Project: ['This field is required.'] }),
    ],
    ['form', say(400, { errors: [{ field: 'commit', defaultMessage: 'must not be null' }] })],
    ['form', fault(400, { Report: ["'Report' must not be empty."] })],
    ['form', fault(422, { report: ['Required'] })],
    ['form', fault(422, { build_number: ['The build number field is required.'] })],
    ['form', say(400, { detail: "Required request parameter 'project' is not present" })],
    ['form', say(400, 'Required field is missing: Report')],
    ['form', say(400, 'Missing part Report')],
    ['form', say(422, 'missing field `Report`')],
    ['form', say(400, { detail: "Required part 'report' is not present." })],
    ['form', say(400, 'Required parameter "IFormFile Report" was not provided from form file.')],
    ['form', say(400, { message: 'Unexpected field - ScanJsonFile' })],
    ['form', say(400, { message: ['property ScanKey should not exist'] })],
    ['form', say(400, { message: '"ScanKey" is not allowed' })],
    [
      'form',
      say(422, { detail: [{ loc: ['body', 'ScanKey'], msg: 'Extra inputs are not permitted' }] }),
    ],
    ['form', say(400, { message: "Unrecognized key(s) in object: 'ScanKey'" })],
    ['form', say(422, { errors: { 'form.ScanKey': ['Unknown field.'] } })],
    [
      'form',
      say(422, { detail: [{ loc: ['body', 'ScanKey'], msg: 'extra fields not permitted' }] }),
    ],
    ['form', say(400, { errors: { ScanKey: ['This form should not contain extra fields.'] } })],
    ['form', say(400, { error: 'found unpermitted parameters: :ScanKey, :ScanJsonFile' })],
    ['key', say(400, { message: `ScanKey ${SCAN_KEY} should not exist in archive` })],
    ['key', say(400, { message: 'ScanKey should not exist in two environments' })],
    ['form', show(500, 'MulterError: Unexpected field')],
    // A token against forged requests, before a token is read as the credential.
    ['forgery', show(403, 'CSRF verification failed. Request aborted.')],
    ['forgery', say(403, { message: 'CSRF token mismatch.' })],
    [
      'forgery',
      say(400, 'Invalid anti-forgery token found when reading "IFormFile ScanJsonFile".'),
    ],
    ['forgery', say(401, 'The XSRF header is missing.')],
    ['forgery', show(200, 'The CSRF token is missing.')],
    ['forgery', show(422, 'The change you wanted was rejected.')],
    // The host, or the protocol.
    ['host', show(400, 'Bad Request - Invalid Hostname')],
    ['host', show(400, "Invalid HTTP_HOST header: 'scan.example'.")],
    ['host', show(403, 'Blocked hosts: scan.example')],
    ['host', say(403, 'Blocked request. This host ("scan.example") is not allowed.')],
    ['host', say(400, 'Invalid SNI')],
    ['host', say(400, 'An HTTP/1.x request was sent to an HTTP/2 only endpoint.')],
    ['host', say(421, 'Host not permitted')],
    // Nothing that is sent is wrong.
    ['words', say(422, { detail: [{ loc: ['query', 'project_id'], msg: 'Field required' }] })],
    ['words', say(422, { detail: [{ loc: ['header', 'x-tenant-id'], msg: 'Field required' }] })],
    ['words', show(403, 'Error 403 - This web app is stopped.')],
    // The credential.
    ['credential', say(403, { detail: 'Not authenticated' })],
    ['renewal', say(401, 'The token has expired.')],
    ['renewal', say(403, { detail: 'The token was revoked.' })],
    ['token-expiry', say(401, ''), OVER],
    ['token-expiry', say(403, 'Invalid token'), OVER],
    ['right', say(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope"' })],
    ['right', say(403, { type: 'https://a.example/insufficient-scope', detail: 'No uploads.' })],
    ['right', say(403, 'You are not authorized to upload.')],
    ['audience', say(401, 'Bad audience')],
    [
      'issuer',
      say(401, '', {
        'www-authenticate': 'Bearer error_description="The issuer \'x\' is invalid"',
      }),
    ],
    ['subject', say(403, { detail: 'The subject is not trusted.' }), OIDC],
    ['stage', say(403, { message: 'Missing Authentication Token' })],
    ['foreign-sign-in', lead(401, 'https://portal.example/?rd=x')],
    ['foreign-sign-in', lead(403, 'https://portal.example/')],
    ['foreign-sign-in', say(401, '<a href="https://portal.example/?a&amp;b">401 Unauthorized</a>')],
    ['foreign-sign-in', lead(302, 'https://login.example/x')],
    ['foreign-sign-in', lead(302, 'https://idp.example/oauth/authorize')],
    ['sign-in', lead(401, LOGIN)],
    ['sign-in', lead(302, LOGIN)],
    // The address and the key of a 404.
    ['address', say(404, 'Cannot POST /tenant/v1/scanner/upload-file')],
    ['address', say(404, { detail: 'No static resource v1/scanner/upload-file of the project.' })],
    ['address', show(404, 'Not found'), V1],
    ['address', say(404, { title: 'Not Found', status: 404 }), V1],
    ['key', say(404, 'No such scan')],
    ['key', say(404, { message: 'Scan not found', path: PATH })],
    ['key', say(404, { detail: 'The project could not be found.' }), V1],
    ['size address', say(404, IIS_PAGE, { server: 'Microsoft-IIS/10.0' }), LARGE],
  ])('%s: %j', (causes, spec, settings = {}) => {
    expect(findCauses(spec, settings)).toBe(causes);
  });
});

describe('without it the cause is guessed, after words that are about none of them', () => {
  test.each<Row>([
    [GUESSED, say(400, '')],
    [GUESSED, say(422, { title: 'Unprocessable Entity', status: 422 })],
    [UNHEARD, say(400, { detail: 'The tenant is suspended.' })],
    ['operators files', say(500, { title: 'Internal Server Error', status: 500 })],
    ['words files', say(500, { detail: 'The database is read-only.' })],
    ['words', say(507, { detail: 'No space left on device' })],
    ['words', say(410, { detail: 'API v1 was removed.' })],
    ['words', say(403, 'Access denied: your address is not on the allow list')],
    ['words', say(200, { success: false, message: 'The quota is used up.' })],
    ['operators', say(418, '')],
    ['address operators', say(405, 'Method POST is not allowed here')],
    ['address operators', say(410, '')],
    ['address right', say(403, '')],
    ['address right', say(403, { message: 'Forbidden' })],
    ['front', show(403, 'You have no permission to access this resource.')],
    ['front', show(400, 'Bad Request (400)')],
    ['front', show(422, '422 Unprocessable Entity')],
    ['front', show(200, 'We will be back soon.')],
    ['bare-credential', say(401, '')],
    ['credential', say(401, 'Wrong password')],
    ['conflict', say(409, '')],
    ['conflict', say(409, { detail: 'The scan is archived.' })],
    ['address key', say(404, '')],
    ['address key', say(404, { timestamp: 1, error: 'Not Found', path: PATH })],
    ['key address', say(404, { title: 'Not Found', status: 404 })],
    // Navigation of a portal.
    ['address key', show(404, 'Our projects and scans')],
    ['address key', say(404, IIS_PAGE, { server: 'Microsoft-IIS/10.0' })],
    ['address key', say(404, IIS_PAGE, { server: 'nginx' }), LARGE],
    ['redirect', lead(302, '/authors/12')],
    // The words of a rule, about something else.
    [UNHEARD, say(400, 'The file is missing required fields.')],
    [UNHEARD, say(400, 'A required field is missing.')],
    ['key', fault(400, { ScanKey: ["'Scan Key' must not be empty."] })],
    [UNHEARD, say(400, 'missing field `tool` at line 1 column 30')],
    [UNHEARD, say(400, 'Required parameter "string tenant" was not provided from query string.')],
    [UNHEARD, say(400, { detail: [{ loc: ['body', 'runs', 0, 'tool'], msg: 'Field required' }] })],
    ['ScanJsonFile', fault(400, { ScanJsonFile: ['Absence of Anti-CSRF Tokens is no name'] })],
    [UNHEARD, say(400, 'The report has an invalid hostname.')],
    [UNHEARD, say(400, 'Could not resolve the invalid hostname db.internal')],
    [UNHEARD, say(400, { detail: 'The host header is not allowed.' })],
    ['words', say(403, 'The license expired last week.')],
    ['words', say(403, 'Your IP address is not authorized.')],
    ['bare-credential', lead(401, '/authors/12')],
    ['bare-credential', say(401, ''), { basePath: '/auth/login' }],
    ['credential', say(401, '<p>See <a href="https://portal.example/">the portal</a></p>')],
    ['credential', say(401, 'Wrong user name', { location: LOGIN })],
    ['scheme', say(401, '', { location: LOGIN, 'www-authenticate': 'Basic' })],
  ])('%s: %j', (causes, spec, settings = {}) => {
    expect(findCauses(spec, settings)).toBe(causes);
  });
});

describe('after the service accepted another scan of the step, its address and credential are right', () => {
  test.each<Row>([
    ['accepted-credential', say(401, '')],
    ['accepted-credential', say(401, 'The issuer is wrong')],
    ['accepted-credential', say(403, '')],
    ['accepted-credential', say(403, { detail: 'The scope is missing.' })],
    ['accepted-credential', lead(401, LOGIN)],
    ['renewal', say(401, 'The token was revoked.')],
    ['words', say(403, 'The quota is used up.')],
    ['accepted-front', show(403, 'Blocked by the security policy.')],
    ['key accepted-address', say(404, '')],
    ['key accepted-address', say(404, { title: 'Not Found', status: 404 })],
    ['accepted-address', say(404, 'Cannot POST /tenant/v1/scanner/upload-file')],
    ['accepted-address operators', say(405, '')],
    ['size', say(404, IIS_PAGE, { server: 'Microsoft-IIS/10.0' }), LARGE],
    [UNHEARD, fault(400, { Report: ['The Report field is required.'] })],
    ['words key files', say(400, 'Invalid SNI of this host')],
  ])('%s: %j', (causes, spec, settings = {}) => {
    expect(findCauses(spec, settings, 'svc-0')).toBe(causes);
  });
});

test('hears of another form in linear time', () => {
  const line = '`${"missing part a ".repeat(2 ** 18)} from query`';
  const evidence = `{ task: { plan: { operation: { parts: [] } } }, lines: [${line}] }`;
  expect(evaluate('outcomes/listeners.ts', `m.wantsOtherForm(${evidence}).length`)).toBe('0');
});
