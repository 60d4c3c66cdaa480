import { join } from 'node:path';
import { runScript } from '../contenders.ts';
import { OURS } from '../goals.ts';
import type { Contender, Line } from '../line.ts';
import type { Stage } from '../stage.ts';
import { prepareStep } from '../step.ts';
import { runWhole } from '../whole-process.ts';
import type { Command } from '../whole-process.ts';
import { INVENTORY_PATH, WORKSPACE_FILES } from '../workspace.ts';

const NAME = 'bom.cdx.json';
const PATTERN = `**/${NAME}`;
const ROOM = { bytes: 2 ** 28, files: WORKSPACE_FILES + 10_000 };
const ALONE = 'one file';

/** Finding a file by its name among 200,000. */
export const SEARCH: Line = {
  name: 'search',
  title: 'search among 200,000 files',
  unit: 'ms',
  rounds: { min: 3, max: 15 },
  programs: ['find'],
  room: ROOM,
  goals: [{ subject: OURS, kind: 'times', atMost: 3, of: ['find'] }],
  prepare: (stage) => {
    const workspace = stage.fullWorkspace();
    const find = { file: 'find', args: [workspace, '-name', NAME] };
    const glob = runScript('glob.js', [join(workspace, PATTERN)]);
    return Promise.resolve([
      dryRun(stage, OURS, workspace, PATTERN),
      look(stage, 'find', workspace, find),
      { ...look(stage, '@actions/glob', workspace, glob), isOnce: true },
    ]);
  },
};

/** A file that is named, with and without 200,000 others: there is nothing to search. */
export const LITERAL: Line = {
  name: 'literal',
  title: 'a named file among 200,000',
  unit: 'ms',
  rounds: { min: 10, max: 40 },
  programs: [],
  room: ROOM,
  goals: [{ subject: OURS, kind: 'times', atMost: 1.1, of: [ALONE] }],
  prepare: (stage) =>
    Promise.resolve([
      dryRun(stage, OURS, stage.fullWorkspace(), INVENTORY_PATH),
      dryRun(stage, ALONE, stage.lonelyWorkspace(), INVENTORY_PATH),
    ]),
};

/** The step without the network; it must find the one inventory. */
function dryRun(stage: Stage, name: string, workspace: string, pattern: string): Contender {
  const inputs = { 'base-url': 'http://127.0.0.1:9', files: pattern, 'dry-run': 'true' };
  const run = async (): Promise<number> => {
    const step = await prepareStep(join(stage.folder, 'runner'), workspace, inputs);
    const { ms } = await runWhole(step.command);
    expectFound((await step.readOutputs()).get('manifest') ?? '');
    return ms;
  };
  return { name, isOurs: true, run };
}

/** Another program that looks for it. */
function look(
  stage: Stage,
  name: string,
  workspace: string,
  program: Pick<Command, 'file' | 'args'>,
): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepareStep(join(stage.folder, 'runner'), workspace, {});
    const { ms, stdout } = await runWhole({ ...command, ...program });
    expectFound(stdout);
    return ms;
  };
  return { name, run };
}

function expectFound(text: string): void {
  if (!text.includes(INVENTORY_PATH)) throw new Error(`${INVENTORY_PATH} was not found: ${text}`);
}
