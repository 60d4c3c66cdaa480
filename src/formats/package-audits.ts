import { readGovulncheck, readYarn } from './format.ts';
import type { Format } from './format.ts';

const YARN_SIGNS = [
  'type=auditAdvisory data/advisory',
  'type=auditSummary data/vulnerabilities',
  'value children/Severity children/Issue',
];

/** The audits of package managers: the last rows of the table. */
export const PACKAGE_AUDITS = {
  // An object, or the list of dependencies of earlier versions.
  'pip-audit': {
    label: 'pip-audit',
    isUnrated: true,
    signs: ['dependencies/name dependencies/vulns', 'dependencies fixes'],
    listSigns: ['name version vulns'],
    lists: ['dependencies/vulns', 'vulns'],
    otherLists: ['fixes'],
    errors: [
      {
        at: ['dependencies', ''],
        words: 'skip_reason',
        about: 'name',
        all: ['dependencies/name', 'name'],
      },
    ],
    read: ['dependencies'],
  },
  // The dependency scan of .NET. A vulnerability is listed once for each project and framework.
  'dotnet-list': {
    label: 'dotnet list package',
    signs: ['projects parameters*=--vulnerable'],
    lists: [
      'projects/frameworks/topLevelPackages/vulnerabilities',
      'projects/frameworks/transitivePackages/vulnerabilities',
    ],
    otherLists: ['sources'],
    severity: 'severity',
    errors: [
      {
        at: ['problems'],
        level: 'level',
        harmless: ['warning'],
        about: 'project',
        all: ['projects/path', 'problems/project'],
      },
    ],
    read: ['projects'],
  },
  // Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities.
  'cargo-audit': {
    label: 'cargo-audit',
    isUnrated: true,
    signs: ['lockfile/dependency-count vulnerabilities/list'],
    lists: ['vulnerabilities/list'],
    read: ['lockfile/dependency-count'],
  },
  // A stream or list of messages, or the object of versions before 1.0.
  govulncheck: {
    label: 'govulncheck',
    isUnrated: true,
    isStream: true,
    signs: ['Calls Imports Requires Vulns'],
    listSigns: ['config/scanner_name*=govulncheck'],
    toolVersion: ['config/scanner_version'],
    findings: readGovulncheck,
    lists: ['Vulns'],
    otherLists: ['Modules'],
  },
  // A line of the stream may be alone: an advisory or the summary of yarn 1, or an advisory of later ones, which
  // is listed for each path to its package.
  'yarn-audit': {
    label: 'yarn audit',
    isStream: true,
    signs: YARN_SIGNS,
    listSigns: YARN_SIGNS,
    findings: readYarn,
    read: ['data/totalDependencies'],
  },
} as const satisfies Readonly<Record<string, Format>>;
