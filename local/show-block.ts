/** A heading, with the text below it indented. */
export function formatBlock(heading: string, text: string): string {
  return `${heading}\n${(text || '(empty)').trimEnd().replace(/^(?=.)/gm, '  ')}\n`;
}

/** A step's outputs, a line each. */
export function formatOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
