import type { Visitor } from '../../../src/scan/document/collector.ts';
import { ITEM } from '../../../src/scan/document/place.ts';

/** One thing that a visitor was told: a name or an item that was entered, a text, or an end. */
export type Told = readonly ['enter', string] | readonly ['text', string] | readonly ['leave'];

const NAME_OF_ITEM = '[item]';

/** Writes down all that it is told; below names or items that `isMuted` names it is told nothing. */
export class Recorder implements Visitor {
  readonly told: Told[] = [];
  readonly wantsText = true;
  readonly #isMuted: (name: string) => boolean;

  constructor(isMuted: (name: string) => boolean = () => false) {
    this.#isMuted = isMuted;
  }

  enter(name: string | typeof ITEM): boolean {
    const text = name === ITEM ? NAME_OF_ITEM : name;
    this.told.push(['enter', text]);
    return !this.#isMuted(text);
  }

  write(text: string): void {
    this.told.push(['text', text]);
  }

  leave(): void {
    this.told.push(['leave']);
  }
}

/** Asks for nothing. */
export const DEAF: Visitor = {
  wantsText: false,
  enter: () => false,
  write: () => {
    throw new Error('A text was told that nobody asked for.');
  },
  leave: () => {
    throw new Error('An end was told of what was of no interest.');
  },
};

/** A JSON value whose members keep their order, and whose numbers their spelling. */
export type Tree =
  | { readonly text: string }
  | { readonly literal: string }
  | { readonly number: string }
  | { readonly items: readonly Tree[] }
  | { readonly members: readonly (readonly [string, Tree])[] };

/** What a scanner is to tell of a value. */
export function walk(tree: Tree, isMuted: (name: string) => boolean = () => false): Told[] {
  if ('text' in tree) return tellText(tree.text);
  if ('number' in tree) return tellText(String(Number(tree.number)));
  if ('items' in tree) return tree.items.flatMap((item) => tellBelow(NAME_OF_ITEM, item, isMuted));
  if ('members' in tree)
    return tree.members.flatMap(([name, value]) => tellBelow(name, value, isMuted));
  return [];
}

function tellText(text: string): Told[] {
  return [['text', text]];
}

function tellBelow(name: string, value: Tree, isMuted: (name: string) => boolean): Told[] {
  const below: Told[] = isMuted(name) ? [] : [...walk(value, isMuted), ['leave']];
  return [['enter', name], ...below];
}
