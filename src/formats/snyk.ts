import type { FindingRows, Format, Mark } from './format.ts';

/** A project's marks: at its end, or, if only the beginning was read, in every vulnerability. */
function listMarks(project: string): readonly (readonly Mark[])[] {
  const vulnerabilities = { at: `${project}vulnerabilities` };
  return [
    [vulnerabilities, { at: `${project}ok` }, { at: `${project}packageManager` }],
    [vulnerabilities, { at: `${project}ok` }, { at: `${project}dependencyCount` }],
    [{ at: `${project}vulnerabilities/[]/id`, is: /^(?:SNYK-|npm:|snyk:)/ }],
  ];
}

function listFindings(project: string): FindingRows {
  return { each: `${project}vulnerabilities/[]`, severity: 'severity' };
}

/**
 * Snyk: one project, or with --all-projects a list of projects; an image also has `applications`. A
 * vulnerability is listed once for each dependency path to it.
 */
export const SNYK = {
  name: 'snyk',
  label: 'Snyk',
  holds: 'report',
  json: {
    marks: [...listMarks(''), ...listMarks('[]/')],
    findings: ['', 'applications/[]/', '[]/', '[]/applications/[]/'].map(listFindings),
  },
} as const satisfies Format;
