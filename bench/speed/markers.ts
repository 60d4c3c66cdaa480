const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** Puts a text in the place of what stands between the two markers. Throws where they are missing. */
export function replaceBetweenMarkers(page: string, text: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The page lacks ${BEGIN} before ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`;
}
