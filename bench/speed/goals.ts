import type { Goal, Unit } from './line.ts';
import type { Spread } from './statistics.ts';
import { formatFigure } from './units.ts';

/** The name of this action where it is what the others are compared with. */
export const OURS = 'ours';

/** How a contender did: its figures, or why there are none. */
export interface Standing {
  readonly name: string;
  /** Whether it is this action. */
  readonly isOurs: boolean;
  readonly figures?: Spread;
  readonly skipped?: string;
}

/** A goal with what came of it. */
export interface Judgement {
  readonly subject: string;
  /** The goal in words: `<= 1.8 x floor`. */
  readonly text: string;
  /** What the subject has, in the goal's own measure: a ratio, or a figure of the line. */
  readonly reached: string;
  /** The most that the subject's figure may be, in the line's unit. */
  readonly limit: number;
  readonly isMet: boolean;
}

/** Judges the goals by medians. One whose contenders did not all run is left out. */
export function judgeGoals(
  goals: readonly Goal[],
  standings: readonly Standing[],
  unit: Unit,
): readonly Judgement[] {
  const medians = new Map(standings.map(({ name, figures }) => [name, figures?.median]));
  return goals.flatMap((goal) => {
    const value = medians.get(goal.subject);
    const references = goal.of
      .map((name) => medians.get(name))
      .filter((each) => each !== undefined);
    if (value === undefined || references.length < goal.of.length) return [];
    return [judge(goal, value, Math.max(0, ...references), unit)];
  });
}

/** How many times what another takes this action takes; undefined where that means nothing. */
export function compareToOurs(
  { name, figures }: Standing,
  standings: readonly Standing[],
): number | undefined {
  const ours = standings.find((standing) => standing.name === OURS)?.figures;
  if (ours === undefined || figures === undefined || name === OURS) return undefined;
  return ours.median / figures.median;
}

function judge(goal: Goal, value: number, reference: number, unit: Unit): Judgement {
  const { subject, kind, atMost } = goal;
  const of = goal.of.length > 1 ? `the slower of ${goal.of.join(' and ')}` : goal.of.join('');
  const format = (figure: number): string => formatFigure(figure, unit);
  switch (kind) {
    case 'absolute':
      return {
        subject,
        text: `<= ${format(atMost)}`,
        reached: format(value),
        limit: atMost,
        isMet: value <= atMost,
      };
    case 'times':
      return {
        subject,
        text: `<= ${atMost} x ${of}`,
        reached: `${(value / reference).toFixed(2)} x`,
        limit: atMost * reference,
        isMet: value <= atMost * reference,
      };
    case 'plus':
      return {
        subject,
        text: `<= ${of} + ${format(atMost)}`,
        reached: `+ ${format(value - reference)}`,
        limit: reference + atMost,
        isMet: value <= reference + atMost,
      };
  }
}
