import type { Layout } from './format.ts';

/** An alert with any number of instances. Its description is translated, its code is not. */
const ALERT = {
  severity: 'riskcode',
  words: { '3': 'high', '2': 'medium', '1': 'low', '0': 'info' },
};

/** OWASP ZAP: the traditional report in JSON and XML, with or without requests and responses. */
export const ZAP_JSON: Layout = {
  marks: [
    [{ at: '@programName', is: /ZAP/ }, 'site/[]/alerts'],
    ['@version', '@generated', 'site/[]/alerts'],
    ['@version', '@generated', 'site/alerts'],
  ],
  tools: [{ each: '', version: ['@version'] }],
  findings: [
    { each: 'site/[]/alerts/[]', ...ALERT },
    { each: 'site/alerts/[]', ...ALERT },
  ],
};

export const ZAP_XML: Layout = {
  marks: [['OWASPZAPReport']],
  tools: [{ each: 'OWASPZAPReport', version: ['@version'] }],
  findings: [{ each: 'OWASPZAPReport/site/alerts/alertitem', ...ALERT }],
};
