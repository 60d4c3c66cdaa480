import type { FindingRows, Format, Mark, ToolRows } from './format.ts';

/** Marks of one framework's report, or of the summary that is all of a report without resources. */
function listMarks(report: string): readonly (readonly Mark[])[] {
  return [
    [{ at: `${report}check_type` }, { at: `${report}results/failed_checks` }],
    [{ at: `${report}checkov_version` }, { at: `${report}passed` }, { at: `${report}failed` }],
  ];
}

function listTools(report: string): ToolRows {
  return { each: report, version: ['checkov_version', 'summary/checkov_version'] };
}

function listFindings(report: string): FindingRows {
  const each = `${report}results/failed_checks/[]`;
  return { each, severity: 'severity', isSeverityOptional: true };
}

/** Checkov: one framework, or a list of them. Only its platform knows severities. */
export const CHECKOV = {
  name: 'checkov',
  label: 'Checkov',
  holds: 'report',
  json: {
    marks: [...listMarks(''), ...listMarks('[]/')],
    tools: [listTools(''), listTools('[]')],
    findings: [listFindings(''), listFindings('[]/')],
  },
} as const satisfies Format;
