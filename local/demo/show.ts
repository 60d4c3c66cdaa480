import { formatOutputs, indent } from '../show-block.ts';
import type { Outcome } from './check.ts';
import type { PartComparison } from './compare.ts';
import type { Scenario } from './scenarios.ts';

/** What a workflow would see of one step, as text. */
export function showScenario(scenario: Scenario, baseUrl: string, outcome: Outcome): string {
  const { run, parts } = outcome;
  return [
    `${scenario.heading}\n${'='.repeat(scenario.heading.length)}\n`,
    showBlock('Step', showStep(scenario, baseUrl)),
    showBlock('Log', run.log),
    showBlock('Outputs', formatOutputs(run.outputs)),
    showBlock('Summary', run.summary),
    showBlock('Exit code', `${run.exitCode ?? run.signal ?? 'none'}\n`),
    showBlock('Sent and received', parts.map(showPart).join('')),
  ].join('\n');
}

function showStep({ inputs }: Scenario, baseUrl: string): string {
  const lines = Object.entries({
    'base-url': baseUrl,
    ...inputs,
    token: '${{ secrets.SCAN_UPLOAD_TOKEN }}',
  }).map(([name, value]) => `    ${name}: ${showValue(value)}`);
  return ['- uses: ./', '  id: upload', '  with:', ...lines, ''].join('\n');
}

/** A text as YAML, a long one as a block. */
function showValue(text: string): string {
  if (text.includes('\n')) return `|\n${text.replace(/^/gm, '      ')}`;
  return /^[*!&]/.test(text) ? `'${text}'` : text;
}

function showPart({ part, file, sent, received }: PartComparison): string {
  const verdict =
    received === sent ? 'equal' : received === undefined ? 'nothing kept' : 'DIFFERENT';
  return `${part} (${file}): ${verdict}\n  sent     ${sent}\n  received ${received ?? '-'}\n`;
}

function showBlock(title: string, text: string): string {
  return `${title}:\n${indent(text)}\n`;
}
