import { StringDecoder } from 'node:string_decoder';

/** Splits bytes into lines as .NET's ReadLine does: at LF, CR LF and a lone CR. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** Takes bytes; returns the lines that are complete with them. */
  push(bytes: Buffer): string[] {
    // A CR at the end waits: a line feed after it would belong to it.
    const lines = (this.#rest + this.#decoder.write(bytes)).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  /** Ends the stream; returns the last line, if it had no end. */
  end(): string[] {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    return rest === '' ? [] : [rest.replace(/\r$/, '')];
  }
}
