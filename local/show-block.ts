/** A step's outputs, a line each. */
export function formatOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** A text below its heading. */
export function indent(text: string): string {
  const body = text === '' ? '(empty)' : text.trimEnd();
  return body.replace(/^(?=.)/gm, '  ');
}
