/** The results of a simulation, or the goals: at least `accepted`, and at most the others. */
export interface Figures {
  /** Requests for each accepted upload, including those that the outage refused. */
  readonly requests: number;
  /** Uploads that were accepted within their steps' time limits, in percent. */
  readonly accepted: number;
  /** The most requests in a second after the first, divided by what the service can take in one. */
  readonly secondPeak: number;
  /** Until every job had its result, in seconds. */
  readonly doneSeconds: number;
}

const NAMES = ['requests', 'accepted', 'secondPeak', 'doneSeconds'] as const;

/** The goals that are missed: `requests 3.12, not 3`. */
export function listMissed(figures: Figures, goals: Figures): readonly string[] {
  const missed = NAMES.filter((name) => {
    const [figure, goal] = [figures[name], goals[name]];
    return !(name === 'accepted' ? figure >= goal : figure <= goal);
  });
  return missed.map((name) => `${name} ${figures[name]}, not ${goals[name]}`);
}
