import type { Layout } from './format.ts';

/**
 * govulncheck: a stream or list of messages, or the object of versions before 1.0. A vulnerability has a
 * finding for each module, package and symbol. It states no severities.
 */
export const GOVULNCHECK: Layout = {
  marks: [
    [{ at: '[]/config/scanner_name', is: /govulncheck/ }],
    ['[]/finding/osv', '[]/finding/trace'],
    ['Calls', 'Imports', 'Requires', 'Vulns'],
  ],
  tools: [{ each: '[]/config', version: ['scanner_version'] }],
  findings: [
    { each: '[]/finding', distinct: 'osv' },
    { each: 'Vulns/[]', distinct: 'OSV/id' },
  ],
};
