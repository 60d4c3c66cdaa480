import type { FindingRows, Format, Mark } from './format.ts';

/** Marks of a line: an advisory or the summary of yarn 1, or an advisory of later versions. */
function listMarks(line: string): readonly (readonly Mark[])[] {
  return [
    [{ at: `${line}type`, is: /^auditAdvisory$/ }, { at: `${line}data/advisory` }],
    [{ at: `${line}type`, is: /^auditSummary$/ }, { at: `${line}data/vulnerabilities` }],
    [{ at: `${line}value` }, { at: `${line}children/Severity` }, { at: `${line}children/Issue` }],
  ];
}

function listFindings(line: string): readonly FindingRows[] {
  return [
    { each: `${line}data/advisory`, severity: 'severity' },
    { each: `${line}children`, severity: 'Severity' },
  ];
}

/** yarn audit: a stream, of which a line may be alone. An advisory is listed for each path to its package. */
export const YARN_AUDIT = {
  name: 'yarn-audit',
  label: 'yarn audit',
  holds: 'report',
  isStream: true,
  json: {
    marks: [...listMarks(''), ...listMarks('[]/')],
    findings: [...listFindings(''), ...listFindings('[]/')],
  },
} as const satisfies Format;
