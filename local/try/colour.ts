import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** How the runner's own words at the start of a line are shown. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^Error: /, 'red'],
  [/^Warning: /, 'yellow'],
  [/^Notice: /, 'cyan'],
  [/^##\[debug\]/, 'gray'],
];

/** A line of a log in the colour of what it tells, where the terminal has colours. */
export function colourLine(line: string, stream: NodeJS.WriteStream): string {
  const style = STYLES.find(([pattern]) => pattern.test(line))?.[1];
  return style === undefined ? line : styleText(style, line, { stream });
}

/** A heading, likewise. */
export function colourHeading(text: string, stream: NodeJS.WriteStream): string {
  return styleText('bold', text, { stream });
}
