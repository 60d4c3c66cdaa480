import type { Format } from './format.ts';

/**
 * govulncheck: a stream or list of messages, or the object of versions before 1.0. A vulnerability has a
 * finding for each module, package and symbol. It states no severities.
 */
export const GOVULNCHECK = {
  name: 'govulncheck',
  label: 'govulncheck',
  holds: 'report',
  isStream: true,
  json: {
    marks: [
      [{ at: '[]/config/scanner_name', is: /govulncheck/ }],
      [{ at: '[]/finding/osv' }, { at: '[]/finding/trace' }],
      [{ at: 'Calls' }, { at: 'Imports' }, { at: 'Requires' }, { at: 'Vulns' }],
    ],
    tools: [{ each: '[]/config', version: ['scanner_version'] }],
    findings: [
      { each: '[]/finding', distinct: 'osv' },
      { each: 'Vulns/[]', distinct: 'OSV/id' },
    ],
  },
} as const satisfies Format;
