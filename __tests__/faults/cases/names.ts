import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import { REPORT } from '../../support/samples.ts';
import { ACCEPTED } from '../harness/case-scripts.ts';
import { MARKER } from '../harness/hostile.ts';
import type { FaultCase } from '../harness/types.ts';

/** They stand for themselves below a directory that is named, so that no pattern has to spell them. */
const REFUSED: readonly string[] = [
  `scan\r\nContent-Type: ${MARKER}\n::error::${MARKER}.json`,
  `:\u200b:error::${MARKER}\u2028##[error]${MARKER}\u001b[31m\u202enosj.json`,
  'etc\\scan.json',
];

const SENT: readonly string[] = [
  `x"; filename="${MARKER} %0d%0a;name=ScanKey.json`,
  `::set-output name=${MARKER}::größe-扫描-🔍 ${'n'.repeat(150)}.json`,
  `##[error]${MARKER}|<img src=x>![${MARKER}](x)|.json`,
];

function makeCase(name: string, rest: Pick<FaultCase, 'expected' | 'check'>): FaultCase {
  const filename = name.replaceAll('"', '%22');
  return {
    name: `a file with the name ${JSON.stringify(name)}`,
    transports: ['http'],
    posixOnly: true,
    files: () => ({ [`scans/${name}`]: REPORT }),
    sent: [{ part: 'ScanJsonFile', path: `scans/${name}`, filename }],
    inputs: () => ({ 'scan-file': 'scans' }),
    ...rest,
  };
}

/** Names that could end a header or start a command. */
export const NAMES: readonly FaultCase[] = [
  ...REFUSED.map((name) =>
    makeCase(name, {
      expected: {
        result: 'not-sent',
        reason: 'files',
        status: '',
        attempts: 0,
        connections: 0,
      },
    }),
  ),
  ...SENT.map((name) =>
    makeCase(name, {
      expected: ACCEPTED,
      check: (_scene, { summary }) =>
        findElements(renderMarkdown(summary), 'img', 'a', '<').map(
          (element) => `markup of the name in the summary: ${element.name}`,
        ),
    }),
  ),
];
