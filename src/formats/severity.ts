/** The severities, worst first; `none` is everything below low, such as info or negligible. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** How many findings there are of each severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

const WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  important: 'high',
  error: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  note: 'low',
  info: 'none',
  informational: 'none',
  negligible: 'none',
  style: 'none',
  none: 'none',
};

/** The lowest score of each severity (CVSS 3.1, section 5), worst first. */
const LOWEST_SCORES: readonly (readonly [number, Severity])[] = [
  [9, 'critical'],
  [7, 'high'],
  [4, 'medium'],
  [0.1, 'low'],
  [0, 'none'],
];

/** The severity of a scanner's word or of a CVSS score (`9.8`); `unknown` for any other text. */
export function parseSeverity(text: string): Severity {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? 'unknown';
  if (!/^\d{1,2}(?:\.\d+)?$/.test(word) || Number(word) > 10) return 'unknown';
  return LOWEST_SCORES.find(([lowest]) => Number(word) >= lowest)?.[1] ?? 'none';
}

/** The worst of several severities, each as a scanner states it; `unknown` only if all are. */
export function findWorst(texts: readonly string[]): Severity {
  const stated = new Set(texts.map(parseSeverity));
  return SEVERITIES.find((severity) => stated.has(severity)) ?? 'unknown';
}
