import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a stream of bytes into lines as .NET's StreamReader.ReadLine does: at LF, CR LF and a lone
 * CR; the last line needs no end.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #endedByCr = false;

  /** Takes bytes; returns the lines that are complete with them. */
  push(bytes: Buffer): string[] {
    return this.#split(this.#decoder.write(bytes));
  }

  /** Ends the stream; returns what was left of it. */
  end(): string[] {
    const lines = this.#split(this.#decoder.end());
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? lines : [...lines, rest];
  }

  #split(text: string): string[] {
    if (text === '') {
      return [];
    }
    // A line feed right behind a chunk that ended with CR belongs to that CR.
    const fresh = this.#endedByCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedByCr = text.endsWith('\r');
    const lines = (this.#rest + fresh).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
