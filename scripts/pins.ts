// Finds what a workflow runs without a pin: an action or a reusable workflow that is not one of the
// known commits with its version beside it, and an image without a digest.
import { load } from 'js-yaml';
import { REPOSITORY } from './repository.ts';

export interface Unpinned {
  /** From 1; 1 if no line has the text as it is. */
  readonly line: number;
  readonly message: string;
}

/** By repository, what has to stand behind its `@`: `COMMIT # vX.Y.Z`. */
export type KnownActions = ReadonlyMap<string, string>;

const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Reads .github/known-actions/action.yml. Throws if a repository has two commits. */
export function readKnownActions(source: string): KnownActions {
  const known = new Map<string, string>();
  for (const [, name = '', pin = ''] of source.matchAll(/ uses: (.+)@([0-9a-f]{40} # v.+)$/gm)) {
    const repository = readRepository(name);
    if (known.has(repository)) throw new Error(`${repository} has two known commits`);
    known.set(repository, pin);
  }
  return known;
}

/** Everything in a workflow that is not pinned; nothing if it is no YAML. */
export function findUnpinned(source: string, known: KnownActions): readonly Unpinned[] {
  const { actions, images } = listReferences(source);
  return [
    ...[...actions].flatMap((text) => checkAction(text, source, known)),
    ...[...images].flatMap((text) => checkImage(text, source)),
  ];
}

function checkAction(text: string, source: string, known: KnownActions): readonly Unpinned[] {
  if (text.startsWith('./')) return [];
  if (text.startsWith('docker://')) return checkImage(text, source);
  const name = text.replace(/^https:\/\/github\.com\//, '').replace(/@.*/, '');
  // Users take the newest release of the major version, or a commit (examples/README.md).
  if (name === REPOSITORY && /@v\d+$/.test(text)) return [];
  const pin = known.get(readRepository(name));
  const [path] = text.split('@');
  const expected = pin === undefined ? undefined : `${path}@${pin}`;
  const message =
    expected === undefined
      ? `${text} is not in .github/known-actions/action.yml`
      : `${text} is not pinned: write ${expected}`;
  return findLines(text, source)
    .filter(({ content }) => content.replace(/^[ -]*/, '') !== `uses: ${expected}`)
    .map(({ line }) => ({ line, message }));
}

function checkImage(text: string, source: string): readonly Unpinned[] {
  if (DIGEST.test(text)) return [];
  const message = `image ${text} has no digest: add @sha256:...`;
  return findLines(text, source).map(({ line }) => ({ line, message }));
}

/** The lines with a value. One that is quoted or split over lines is reported at line 1. */
function findLines(text: string, source: string): readonly { line: number; content: string }[] {
  const lines = source.split('\n').map((content, index) => ({ line: index + 1, content }));
  const found = lines.filter(({ content }) => content.includes(`: ${text}`));
  return found.length > 0 ? found : [{ line: 1, content: '' }];
}

/** `owner/repo` of an action or a reusable workflow, which may be in a directory of it. */
function readRepository(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}

/** What the jobs of a workflow use, each once. */
function listReferences(source: string): { actions: Set<string>; images: Set<string> } {
  const jobs = Object.values(readMembers(readMembers(parse(source))['jobs'])).map(readMembers);
  const steps = jobs.flatMap((job) => Object.values(readMembers(job['steps'])).map(readMembers));
  const services = jobs.flatMap((job) => Object.values(readMembers(job['services'])));
  const containers = jobs.map((job) => job['container']);
  const uses = [...jobs, ...steps].map((part) => part['uses']);
  const images = [...containers, ...services].map((container) =>
    typeof container === 'string' ? container : readMembers(container)['image'],
  );
  return { actions: new Set(uses.filter(isText)), images: new Set(images.filter(isText)) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A YAML document, or undefined: actionlint reports what cannot be parsed. */
function parse(source: string): unknown {
  try {
    return load(source);
  } catch {
    return undefined;
  }
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
