import { InputError } from '../errors.ts';
import { readEvent } from './event.ts';
import { select } from '../formats/values.ts';
import { foldName } from '../json.ts';
import { listSome, measureDistance } from '../text.ts';
import { INPUT_NAMES, getText, mayBeEmpty } from './fields.ts';

/** How many unknown names a message lists: engines set INPUT_ variables of their own. */
const MAX_LISTED = 10;

/**
 * Throws an InputError for inputs in another spelling, of which the runner only warns, or with more about empty ones in
 * `error`, once all were read. act also passes on inputs of a composite action, whose values this has passed on.
 */
export async function refuseNames(error: unknown): Promise<void> {
  const unknown = Object.entries(process.env).flatMap(([variable, text = '']) => {
    const name = /^INPUT_(.{1,50})$/i.exec(variable)?.[1]?.toLowerCase();
    return name === undefined || INPUT_NAMES.has(name) ? [] : { name, text: text.trim() };
  });
  const misspelt = unknown.flatMap(({ name, text }) => {
    const isSame = (input: string): boolean => foldName(input) === foldName(name);
    // It would upload files that nobody asked for.
    const isDryRun = !mayBeEmpty() && measureDistance(name, 'dry-run', 2) <= 2;
    const meant = isDryRun ? 'dry-run' : [...INPUT_NAMES].find(isSame);
    if (meant === undefined || getText(meant) === text) return [];
    return `\`${name}\` is no input of this action: write \`${meant}\`.`;
  });
  // All other problems may follow from it.
  if (misspelt.length > 0) throw new InputError(misspelt);
  if (!(error instanceof InputError) || error.fixes.length === 0) return;
  await refuseFork();
  const names = unknown.map(({ name }) => `\`${name}\``);
  if (names.length === 0) return;
  const listed = `Inputs that this action does not have: ${listSome(names, MAX_LISTED)}.`;
  throw new InputError([...error.problems, listed], error.fixes);
}

/** Throws an InputError if the run would upload for a pull request from a fork; its own branches may be in a fork, too. */
export async function refuseFork(): Promise<void> {
  const { GITHUB_EVENT_NAME: name } = process.env;
  const event = await readEvent();
  const [isFork] = select(event, 'pull_request/head/repo/fork');
  const [head, base] = select(event, 'pull_request/*/repo/full_name');
  // Runs for `pull_request_target` get secrets.
  if (mayBeEmpty() || name === 'pull_request_target' || isFork !== true || head === base) return;
  throw new InputError('This run for a fork has not all that an upload needs.', [
    'Runs for forks get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
  ]);
}
