import { expect, test } from '@jest/globals';
import { findUnexpanded, findWrongSyntax } from '../src/expressions.ts';
import { setEnvironment } from './support/workspace.ts';

test.each<[string, readonly string[]]>([
  [
    'is an expression, which is evaluated only in the workflow file.',
    ['${{ secrets.X }}', '${{ a }}-${{ b }}'],
  ],
  [
    'is the text of an expression: write ${{ }} around it.',
    ['secrets.SCAN_TOKEN', 'Vars.X', '{{ env.KEY }}', '${ vars.KEY }', '${{vars.KEY}'],
  ],
  [
    'is a shell variable, which `with:` does not replace: write ${{ secrets.NAME }}, ${{ vars.NAME }} or ${{ env.NAME }}.',
    ['$A_KEY', '$env:A_KEY', '${A_KEY}', '$(a_key)', '%A_KEY%', '$token'],
  ],
  ['is in quotes: remove them.', ['"a"', "'a\nb'"]],
])('findWrongSyntax says that a text %s', (problem, texts) => {
  for (const text of texts) expect(findWrongSyntax(text)).toBe(problem);
});

const OTHERS = ['', 'secrets.', '$', '$a-b', '$1ab', 'pa$word', '%a', 'xenv.A', 'a secrets.X'];
const PARTS = ['"a', '"a\'', '"a"b', 'a${{ b }}', '${{ a }}b', 'vars.A-B', 'x$A', 'x%A%', '%A%x'];
test.each([...OTHERS, ...PARTS])('findWrongSyntax finds nothing wrong in %j', (text) => {
  expect(findWrongSyntax(text)).toBeUndefined();
});

const EVALUATED =
  'is an expression, which is evaluated only in the workflow file: write the path itself.';
const VARIABLE = 'is a shell variable, which `with:` does not replace: write';
const UNCLOSED = 'is the text of an expression: write ${{ }} around it.';
const RELATIVE = 'a path that is relative to the workspace.';

test.each([
  ['${{ github.workspace }}/a.json', '${{ github.workspace }}', EVALUATED],
  ['$RUNNER_TEMP/a.json', '$RUNNER_TEMP', `${VARIABLE} \${{ runner.temp }}.`],
  ['a-${GITHUB_SHA}.json', '${GITHUB_SHA}', `${VARIABLE} \${{ github.sha }}.`],
  ['%GITHUB_WORKSPACE%\\a.json', '%GITHUB_WORKSPACE%', `${VARIABLE} ${RELATIVE}`],
  [
    '$env:TEMP/a.json',
    '$env:TEMP',
    `${VARIABLE} the path itself, or \${{ env.TEMP }} if the workflow sets it.`,
  ],
  ['{{ github.workspace }}/*', '{{ github.workspace }}', UNCLOSED],
  ['a/${ matrix.name }.json', '${ matrix.name }', UNCLOSED],
])('findUnexpanded says of %j what stands for a part of it', (path, part, text) => {
  expect(findUnexpanded(path)).toBe(`'${part}' ${text}`);
});

test('findUnexpanded names the directory in a container, where the expression has another', () => {
  setEnvironment({ RUNNER_TEMP: '/__w/_temp' });
  expect(findUnexpanded('$RUNNER_TEMP/a.json')).toBe(`'$RUNNER_TEMP' ${VARIABLE} /__w/_temp.`);
});

test.each(['{a,b}.json', 'a$.json', '%20a%20.json', '100%', '[$]a'])(
  'findUnexpanded finds nothing in %j',
  (path) => {
    expect(findUnexpanded(path)).toBeUndefined();
  },
);
