import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { writeInventory } from './files.ts';

const OUTER = 10;
const MIDDLE = 20;
const INNER = 10;
const FILES_PER_FOLDER = 100;

/** How many files the large workspace has. */
export const WORKSPACE_FILES = OUTER * MIDDLE * INNER * FILES_PER_FOLDER;

/** Where the inventory stands in it. */
export const INVENTORY_PATH = 'packages-7/group-13/module-4/bom.cdx.json';

const INVENTORY_BYTES = 1000;

/** Fills a folder with 200,000 files in 2,000 folders, three levels down; one is an inventory. */
export function fillWorkspace(folder: string): void {
  for (let index = 0; index < OUTER * MIDDLE * INNER; index += 1) {
    const outer = `packages-${Math.floor(index / (MIDDLE * INNER))}`;
    const middle = `group-${Math.floor(index / INNER) % MIDDLE}`;
    const path = join(folder, outer, middle, `module-${index % INNER}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file += 1) {
      closeSync(openSync(join(path, `file-${file}.json`), 'w'));
    }
  }
  writeInventory(join(folder, INVENTORY_PATH), INVENTORY_BYTES);
}

/** A folder with the inventory alone, at the same place. */
export function makeLonelyWorkspace(folder: string): void {
  mkdirSync(join(folder, INVENTORY_PATH, '..'), { recursive: true });
  writeInventory(join(folder, INVENTORY_PATH), INVENTORY_BYTES);
}
