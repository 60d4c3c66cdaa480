/** The severities, worst first; `none` is everything below low, such as info or negligible. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The severity of each finding. */
export type Findings = readonly Severity[];

/** What tables and lines of the log call them. */
export const HEADINGS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'Info',
  unknown: 'Unrated',
};

/** How many findings there are of each severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** The lowest score of each severity (CVSS 3.1, section 5) and the words for it, worst first. */
const MEANINGS: readonly (readonly [Severity, number, ...words: readonly string[]])[] = [
  ['critical', 9, 'critical'],
  ['high', 7, 'high', 'important', 'error'],
  ['medium', 4, 'medium', 'moderate', 'warning'],
  ['low', 0.1, 'low', 'note'],
  ['none', 0, 'info', 'informational', 'negligible', 'style', 'none'],
];
const SCORE = /^\d{1,2}(?:\.\d+)?$/;

/** The severity of a scanner's word or of a CVSS score (`9.8`); `unknown` for any other text, and for none. */
export function parseSeverity(text = ''): Severity {
  const word = text.trim().toLowerCase();
  const score = SCORE.test(word) && Number(word) <= 10 ? Number(word) : undefined;
  const meaning = MEANINGS.find(([, lowest, ...words]) =>
    score === undefined ? words.includes(word) : score >= lowest,
  );
  return meaning?.[0] ?? 'unknown';
}

/** The worst of several severities, each as a scanner states it; `unknown` only if all are. */
export function findWorst(texts: readonly string[]): Severity {
  const stated = new Set(texts.map(parseSeverity));
  return SEVERITIES.find((severity) => stated.has(severity)) ?? 'unknown';
}

export function countSeverities(findings: Findings): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const severity of findings) counts[severity] += 1;
  return counts;
}
