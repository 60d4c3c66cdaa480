import { expect, test } from '@jest/globals';
import { makeResponse } from '../support/attempts.ts';

const SIX = Array.from({ length: 6 }, () => 'a b');
const MEMBERS = '{"id":17,"State":"new","x":"y","result":"late","code":"7x","Message":"Stored"}';

test.each<[string, string, readonly string[], readonly string[]]>([
  ['two lines of a text', 'a b\n\nc d\ne f', ['a b', 'c d'], []],
  ['nothing of an empty body', '', [], []],
  ['nothing of a state that repeats it', '{"status":"OK","code":200}', [], []],
  [
    'known members',
    MEMBERS,
    ['id: 17', 'State: new', 'result: late', 'code: 7x', 'Message: Stored'],
    [],
  ],
  ['sentences of others', '{"text":"d d","name":"i","at":["e e"]}', ['d d'], []],
  ['no object in a member', '{"message":{"a":["x y"]},"id":null,"description":"d d"}', ['d d'], []],
  ['no credential', '{"accessToken":"a b","set_cookie":"c d","Api-Key":"e f"}', [], []],
  ['no long word', `Stored as ${'x'.repeat(40)}.\n${'x'.repeat(39)}`, ['x'.repeat(39)], []],
  ['no long id', `{"id":"${'x'.repeat(40)}"}`, [], []],
  ['six lines', `{"message":"${'a b\\n'.repeat(7)}"}`, SIX, []],
  ['warnings', '{"warnings":["w w",7,"w"],"a":["b b"]}', [], ['w w']],
  [
    'errors that a yes overrules',
    '{"ok":true,"Errors":{"part":["v v"]}}',
    [],
    ['Errors: part: v v'],
  ],
  [
    'what a yes overrules',
    '{"result":"Rejected","errorMessage":"x","errors":["a","b c"],"ok":true,"code":0}',
    [],
    ['result: Rejected', 'errorMessage: x', 'errors: a', 'errors: b c'],
  ],
  [
    'errors without texts',
    '{"ok":true,"errors":[{"a":"x"}],"errorMessages":true}',
    [],
    ['errors', 'errorMessages: true'],
  ],
  ['no errors', '{"ok":true,"errors":["No errors were found"],"errormessage":"none"}', [], []],
  ['no errors of a good code', '{"ok":true,"errors":[{"code":0,"message":"a b"}]}', [], []],
  ['no errors of no class', '{"ok":true,"errors":[{"code":"Error.None","message":"a b"}]}', [], []],
  [
    'words beside a no',
    '{"imported":false,"message":"Ignored: it is old."}',
    [],
    ['Ignored: it is old.'],
  ],
  [
    'a task that ended',
    '{"id":7,"isCanceled":false,"isFaulted":false,"message":"a b"}',
    ['id: 7', 'a b'],
    [],
  ],
  ['an id beside a no', '{"id":7,"imported":false,"status":"old"}', ['id: 7'], ['status: old']],
  ['nothing beside a no', '{"imported":false}', [], []],
  [
    'words beside no error',
    '{"isFailure":false,"error":false,"message":"Stored now."}',
    ['Stored now.'],
    [],
  ],
  [
    'warnings before words beside a no',
    '{"new":false,"message":"a b","warnings":["c d"]}',
    [],
    ['c d', 'a b'],
  ],
  ['no credential in a warning', '{"warnings":[{"token":"a b"}]}', [], []],
  ['six lines of warnings', `{"warnings":["${'a b\\n'.repeat(7)}"]}`, [], SIX],
])('readConfirmation reads %s', (_, body, says, warnings) => {
  expect(makeResponse({ body })).toMatchObject({ kind: 'success', says, warnings });
  expect(makeResponse({ body, status: 400 }).warnings).toEqual([]);
});

test('readConfirmation reads at most 1,500 characters', () => {
  const long = 'c '.repeat(600);
  const { says, warnings } = makeResponse({
    body: JSON.stringify({ message: long, warnings: [long, 'b b'] }),
  });
  expect([says.join('').length, warnings.join('').length]).toEqual([1199, 1202]);
  const { says: lines } = makeResponse({ body: `${long}\n${'b '.repeat(600)}` });
  expect(lines.map((line) => line.slice(-3))).toEqual(['c c', '  …']);
  expect(lines.join('\n').length).toBe(1500);
});
