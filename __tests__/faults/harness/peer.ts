import { Peer } from '../../service/raw-server.ts';

/** An answer that is well-formed and complete. */
export interface WholeAnswer {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The server's end of a connection, which also remembers whether it accepted the upload. */
export class FaultPeer extends Peer {
  #accepted = false;

  /** Whether a complete answer of success was written, and in the name of the service. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /** Says that the bytes just sent were a complete answer of success. */
  noteAccepted(): void {
    this.#accepted = true;
  }

  /** Reads the head and asks for the body where the client waits to be asked. */
  async readHeadAndContinue(): Promise<void> {
    await this.readHead();
    if (this.header('expect') !== undefined) this.send('HTTP/1.1 100 Continue\r\n\r\n');
  }

  /** Reads the whole request, asking for the body where the client waits to be asked. */
  async readUpload(): Promise<void> {
    await this.readHeadAndContinue();
    await this.readRequest();
  }

  /** Answers whole in the service's name, and ends the connection. */
  answer(answer: WholeAnswer): void {
    if (answer.status >= 200 && answer.status < 300) this.noteAccepted();
    this.answerAsStranger(answer);
  }

  /** Answers whole as something that is not the service, and ends the connection. */
  answerAsStranger(answer: WholeAnswer): void {
    this.socket.end(makeAnswer(answer));
  }

  /** Answers whole, and resets the connection as soon as that has left. */
  answerAndReset(answer: WholeAnswer): void {
    this.socket.write(makeAnswer(answer), () => this.reset());
  }
}

/** An answer's bytes, with a Content-Length unless its headers frame it otherwise. */
export function makeAnswer({
  status,
  reason = 'Status',
  headers = {},
  body = '',
}: WholeAnswer): Buffer {
  const content = Buffer.from(body);
  const framed = { 'Content-Length': String(content.length), Connection: 'close', ...headers };
  const lines = Object.entries(framed).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${reason}`, ...lines].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
}
