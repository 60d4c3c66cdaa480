import { Minimatch } from 'minimatch';

/**
 * With more `*` in one name, minimatch's regular expression takes time that grows with a high power of
 * a hostile name's length: about 0.5 s for four of them and 250 characters, half a minute for five.
 */
const MANY_STARS = 3;
/** What `*` stands beside: a set in brackets, an escaped character, another star, any other. */
const TOKEN = /\[(?:!|\^)?\]?(?:\[:\w+:\]|[^\]/])*\]|\\.|\*+|[^]/g;

/** What matchOne of minimatch asks of a part of a pattern. */
type Part = ReturnType<Minimatch['parse']>;

/** Matches as minimatch does, but segments with many stars in linear time. */
export class LinearMinimatch extends Minimatch {
  override parse(segment: string): Part {
    const pieces = splitAtStars(segment);
    if (pieces.length <= MANY_STARS) return super.parse(segment);
    // Behind a letter minimatch adds no rule for the beginning of a name.
    const parsed = pieces.map((piece) => super.parse(`x${piece}`));
    const expressions = parsed.map((part) => compilePiece(part, this.options.nocase === true));
    const mayBeHidden = this.options.dot === true || /^(?:\\?\.|\[\.\])/.test(segment);
    const test = (name: string): boolean =>
      (mayBeHidden || !name.startsWith('.')) && matchPieces(name, expressions);
    // Minimatch asks a part of a pattern for nothing but its test.
    return Object.assign(/(?:)/, { test });
  }
}

/** What stands between two stars: characters, `?` and sets, each of which takes one character. */
function compilePiece(part: Part, ignoresCase: boolean): RegExp {
  if (typeof part === 'object') {
    return new RegExp(part.source.slice('^x'.length, -'$'.length), `${part.flags}y`);
  }
  const literal = typeof part === 'string' ? part.slice('x'.length) : '';
  const escaped = literal.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
  return new RegExp(escaped, ignoresCase ? 'iy' : 'y');
}

function splitAtStars(segment: string): readonly string[] {
  const pieces = [''];
  for (const [token] of segment.matchAll(TOKEN)) {
    if (token.startsWith('*')) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${token}`);
  }
  return pieces;
}

/**
 * The first piece at the beginning, the last at the end, and each other at the first place behind the
 * one before: since a piece has a length of its own, no later place could do better.
 */
function matchPieces(name: string, pieces: readonly RegExp[]): boolean {
  const last = pieces.length - 1;
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const end = findPiece(name, piece, from, { isFirst: index === 0, isLast: index === last });
    if (end === undefined) return false;
    from = end;
  }
  return true;
}

function findPiece(
  name: string,
  piece: RegExp,
  from: number,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): number | undefined {
  for (let at = from; at <= (isFirst ? 0 : name.length); at += 1) {
    piece.lastIndex = at;
    const isThere = piece.test(name) && (!isLast || piece.lastIndex === name.length);
    if (isThere) return piece.lastIndex;
  }
  return undefined;
}
