import type { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/** How long a failed write waits for the end of its connection, in milliseconds. */
const HOLD_MS = 1000;

/**
 * Makes a failed write of `socket` wait until what has already arrived is read. A server that refuses early
 * closes the connection, so that the next write fails, and Node then destroys the socket before it reads the
 * response (nodejs/node#54366). The write fails with its own error once the socket has ended or is closed.
 */
export function holdFailedWrites(socket: Duplex): void {
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, hold(socket, done));
  if (writeAll === undefined) return;
  socket._writev = (chunks, done) => writeAll(chunks, hold(socket, done));
}

function hold(socket: Duplex, done: Done): Done {
  return (error) => {
    if (!error || socket.destroyed || socket.readableEnded) return done(error);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      done(error);
    };
    // Timers run before sockets are read. Without another turn, a loop that was blocked would read nothing.
    const timer = setTimeout(() => setImmediate(release), HOLD_MS);
    socket.once('end', release).once('close', release);
  };
}
