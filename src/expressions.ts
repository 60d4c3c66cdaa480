// Texts that an expression of the workflow or a shell should have replaced.

/** `${{ secrets.TOKEN }}` */
const EXPRESSION = /\$\{\{[^]*?\}\}/i;
/** `$TOKEN`, `$env:TOKEN`, `${TOKEN}`, `$(TOKEN)`, `%TOKEN%` */
const VARIABLE = /\$(?:env:)?[a-z_]\w*|\$[({]\w+[)}]|%[a-z_]\w*%/i;
/** `{{ vars.URL }}`, `${ vars.URL }` */
const HALF_WRITTEN = /(?:\$\{|\{\{)[^{}]*\}{1,2}/i;
/** `secrets.TOKEN`, with some of the braces or none. */
const BARE = /[${ ]*(?:secrets|vars|env)\.\w+[} ]*/i;
const QUOTED = /"[^]*"|'[^]*'/i;

const UNCLOSED = 'is the text of an expression: write ${{ }} around it.';
const WRONG_SYNTAX = [
  [EXPRESSION, 'is an expression, which is evaluated only in the workflow file.'],
  [
    VARIABLE,
    'is a shell variable, which `with:` does not replace: write ${{ secrets.NAME }}, ${{ vars.NAME }} or ${{ env.NAME }}.',
  ],
  [HALF_WRITTEN, UNCLOSED],
  [BARE, UNCLOSED],
  [QUOTED, 'is in quotes: remove them.'],
] as const;

/** What is wrong with a text in quotes, or in the syntax of an expression or a shell; undefined for any other text. */
export function findWrongSyntax(text: string): string | undefined {
  return WRONG_SYNTAX.find(([{ source }]) => new RegExp(`^(?:${source})$`, 'i').test(text))?.[1];
}

const UNREPLACED: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    EXPRESSION,
    () => 'is an expression, which is evaluated only in the workflow file: write the path itself.',
  ],
  [
    VARIABLE,
    (found) =>
      `is a shell variable, which \`with:\` does not replace: write ${findReplacement(found)}.`,
  ],
  [HALF_WRITTEN, () => UNCLOSED],
];

/** The first part of a path that was not replaced, and what to write, in a sentence; undefined if there is none. */
export function findUnexpanded(path: string): string | undefined {
  for (const [pattern, explain] of UNREPLACED) {
    const [found] = pattern.exec(path) ?? [];
    if (found !== undefined) return `'${found}' ${explain(found)}`;
  }
  return undefined;
}

/** What to write for a shell variable in a path. */
function findReplacement(variable: string): string {
  const name = variable.replaceAll(/^\$env:|\W/gi, '');
  if (name === 'GITHUB_WORKSPACE') return 'a path that is relative to the workspace';
  const { [name]: value = '' } = process.env;
  // In a container the expression has the path outside it.
  if (value.startsWith('/__w/')) return value;
  const [, context = '', property = ''] = /^(GITHUB|RUNNER)_(\w+)$/.exec(name) ?? [];
  return context === ''
    ? `the path itself, or \${{ env.${name} }} if the workflow sets it`
    : `\${{ ${context}.${property} }}`.toLowerCase();
}
