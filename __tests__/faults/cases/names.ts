import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import { MARKER } from '../harness/hostile.ts';
import { REPORT } from '../harness/scene.ts';
import type { FaultCase } from '../harness/types.ts';
import { ACCEPTED } from '../harness/serve.ts';

/** Each stands for itself below a directory that is named, so that no pattern has to spell it. */
const REFUSED: Readonly<Record<string, string>> = {
  'a control character': 'scan\u0001.json',
  'an escape sequence': 'scan\u001b[31m.json',
  'a line feed': `scan\n::error::${MARKER}.json`,
  'a carriage return': `scan\r::error::${MARKER}.json`,
  'CR LF and a header': `scan\r\nContent-Type: ${MARKER}.json`,
  'a bidi override': 'scan\u202enosj.json',
  'a zero-width space': `:\u200b:error::${MARKER}.json`,
  'a line separator': `scan\u2028::error::${MARKER}.json`,
  'a C1 control': `scan\u0085::error::${MARKER}.json`,
  'a backslash': 'etc\\scan.json',
};

const SENT: Readonly<Record<string, string>> = {
  quotes: 're"port".json',
  'quotes and a parameter': `x"; filename="${MARKER}.json`,
  'letters beyond ASCII': 'größe-扫描-🔍.json',
  spaces: ' scan  1 .json',
  'a percent code': 'scan%0d%0a.json',
  'a semicolon': 'scan;name=ScanKey.json',
  'a command': `::set-output name=${MARKER}::x.json`,
  'a command of the old form': `##[error]${MARKER}.json`,
  'markdown and HTML': `|<img src=x>![${MARKER}](x)|.json`,
  'a leading dash': '--config.json',
  '200 characters': `${'n'.repeat(195)}.json`,
};

/** F24, and S1 as far as file names carry commands. */
export const NAMES: readonly FaultCase[] = [
  ...Object.entries(REFUSED).map(([variant, name]): FaultCase => ({
    row: 'F24',
    variant: `${variant} in a file's name`,
    transports: ['http'],
    posixOnly: true,
    files: () => ({ [`scans/${name}`]: REPORT }),
    sent: [{ part: 'ScanJsonFile', path: `scans/${name}` }],
    inputs: () => ({ 'scan-file': 'scans' }),
    expected: {
      result: 'not-sent',
      status: '',
      attempts: '0',
      says: /has a control character, an invisible character or a backslash/,
      connections: 0,
    },
  })),
  ...Object.entries(SENT).map(([variant, name]): FaultCase => ({
    row: 'F24',
    variant: `${variant} in a file's name, which is sent`,
    transports: ['http'],
    posixOnly: true,
    files: () => ({ [`scans/${name}`]: REPORT }),
    sent: [
      {
        part: 'ScanJsonFile',
        path: `scans/${name}`,
        filename: name.replaceAll('"', '%22'),
      },
    ],
    inputs: () => ({ 'scan-file': 'scans' }),
    expected: ACCEPTED,
    check: (_scene, { summary }) =>
      findElements(renderMarkdown(summary), 'img', 'a', '<').map(
        ({ name: element }) => `markup of the name in the summary: ${element}`,
      ),
  })),
];
