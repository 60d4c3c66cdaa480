import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** A JSON value whose members keep their order, and whose numbers their spelling. */
type Tree =
  | { readonly text: string }
  | { readonly literal: string }
  | { readonly number: string }
  | { readonly items: readonly Tree[] }
  | { readonly members: readonly (readonly [string, Tree])[] };

/** How a text is written: cycled through, so that the same value has many forms. */
export interface Style {
  readonly spaces: readonly string[];
  readonly escapes: readonly boolean[];
}

const TEXT = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', 'a', 'é', '😀', '\ud800', '"', '\\', '{', '}', ',', '\\"', '__proto__', '/'),
);
const NUMBER = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '0.0', '1e5', '1E+05', '-1.50e-10', '9'.repeat(40)),
);

const { tree, container } = fc.letrec<{ tree: Tree; container: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    TEXT.map((text) => ({ text })),
    NUMBER.map((number) => ({ number })),
    fc.constantFrom('true', 'false', 'null').map((literal) => ({ literal })),
    tie('container'),
  ),
  container: fc.oneof(
    fc.array(tie('tree'), { maxLength: 5 }).map((items) => ({ items })),
    fc.array(fc.tuple(TEXT, tie('tree')), { maxLength: 5 }).map((members) => ({ members })),
  ),
}));

/** Any JSON value. */
export const TREE: Arbitrary<Tree> = tree;

/** An object or a list. */
export const CONTAINER: Arbitrary<Tree> = container;

export const STYLE: Arbitrary<Style> = fc.record({
  spaces: fc.array(fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t  '), {
    minLength: 1,
    maxLength: 9,
  }),
  escapes: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
});

/** A value as a JSON text. */
export function writeTree(value: Tree, style: Style): string {
  return new Writer(style).write(value);
}

class Writer {
  readonly #style: Style;
  #count = 0;

  constructor(style: Style) {
    this.#style = style;
  }

  write(value: Tree): string {
    return `${this.#space()}${this.#writeValue(value)}${this.#space()}`;
  }

  #list(value: Tree): readonly string[] {
    if ('items' in value) return value.items.map((item) => this.write(item));
    if (!('members' in value)) return [];
    return value.members.map(
      ([name, member]) =>
        `${this.#space()}${this.#quote(name)}${this.#space()}:${this.write(member)}`,
    );
  }

  #writeValue(value: Tree): string {
    if ('text' in value) return this.#quote(value.text);
    if ('number' in value) return value.number;
    if ('literal' in value) return value.literal;
    const inside = this.#list(value).join(',') || this.#space();
    return 'items' in value ? `[${inside}]` : `{${inside}}`;
  }

  #quote(text: string): string {
    return `"${Array.from(text, (character) => this.#writeCharacter(character)).join('')}"`;
  }

  #writeCharacter(character: string): string {
    if (this.#next(this.#style.escapes) !== true) return JSON.stringify(character).slice(1, -1);
    return character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  }

  #space(): string {
    return this.#next(this.#style.spaces) ?? '';
  }

  #next<T>(values: readonly T[]): T | undefined {
    this.#count += 1;
    return values[this.#count % values.length];
  }
}
