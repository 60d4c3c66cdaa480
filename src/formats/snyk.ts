import type { Layout } from './format.ts';

const PROJECTS = ['', '[]/'];

/**
 * Snyk: one project, or with --all-projects a list of projects; an image also has `applications`. A
 * vulnerability is listed once for each dependency path to it. Of a large project only the vulnerabilities
 * are at its beginning.
 */
export const SNYK: Layout = {
  marks: PROJECTS.flatMap((at) => [
    [`${at}vulnerabilities`, `${at}ok`, `${at}packageManager`],
    [`${at}vulnerabilities`, `${at}ok`, `${at}dependencyCount`],
    [{ at: `${at}vulnerabilities/[]/id`, is: /^(?:SNYK-|npm:|snyk:)/ }],
  ]),
  findings: PROJECTS.flatMap((at) => [at, `${at}applications/[]/`]).map((at) => ({
    each: `${at}vulnerabilities/[]`,
    severity: 'severity',
  })),
};
