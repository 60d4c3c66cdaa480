import { expect, test } from '@jest/globals';
import { findMistake, refuseOtherDryRun } from '../../src/inputs/mistakes.ts';
import { catchProblems, isolateEnvironment } from '../support/inputs.ts';

isolateEnvironment();

test.each([
  ['is an expression, which is evaluated only in', ['${{ secrets.X }}', '${{ a }}-${{ b }}']],
  [
    'is the text of an expression: ',
    ['secrets.SCAN_TOKEN', 'Vars.X', 'env.A', '{{ vars.KEY }}', '${ vars.KEY }', '${{vars.KEY}'],
  ],
  ['is a shell variable, ', ['$A_KEY', '$env:A_KEY', '${A_KEY}', '$(a_key)', '%A_KEY%', '$token']],
  ['is in quotes: ', ['"a"', "'a\nb'"]],
])('findMistake says that a text %s', (problem, texts) => {
  for (const text of texts) expect(findMistake(text)).toMatch(problem);
});

const OTHERS = [
  '',
  'secrets.',
  '$',
  '$a-b',
  '$1ab',
  'pa$word',
  '%a',
  'xenv.A',
  'a secrets.X',
  '"a',
];
test.each([...OTHERS, '"a\''])('findMistake finds none in %j', (text) => {
  expect(findMistake(text)).toBeUndefined();
});

test.each(['DRYRUN', 'DRY_RUN', 'Dry--Run_'])(
  'the input %s is refused, unless it asks for an upload',
  (name) => {
    process.env[`INPUT_${name}`] = 'TRUE';
    expect(catchProblems(refuseOtherDryRun)).toEqual([
      `\`${name.toLowerCase()}\` is no input of this action: write \`dry-run\`.`,
    ]);
    for (const text of [' ', 'False']) {
      process.env[`INPUT_${name}`] = text;
      expect(refuseOtherDryRun).not.toThrow();
    }
  },
);

test.each(['INPUT_DRY-RUN', 'INPUT_DRY', 'INPUT_DRYER', 'DRYRUN', 'XINPUT_DRYRUN'])(
  'the variable %s is not refused',
  (variable) => {
    process.env[variable] = 'true';
    expect(refuseOtherDryRun).not.toThrow();
  },
);
