import { askForBody, drainBody, type Exchange } from './exchange.ts';
import { receive } from './receive.ts';
import { makeProblem, Refusal, type Reply } from './reply.ts';
import { respond } from './respond.ts';
import type { RecordedRequest, RecordedUpload, ScriptedResponse, ServiceOptions } from './types.ts';

/** The state that the requests of one service share. */
export interface ServiceState {
  readonly settings: ServiceOptions;
  /** Names the directory of the next upload. */
  readonly nameUpload: (scanKey: string) => string;
  readonly scripts: ScriptedResponse[];
  readonly requests: RecordedRequest[];
  readonly uploads: RecordedUpload[];
}

/** Serves one request until its response is sent or the caller closes the connection. */
export async function serve(state: ServiceState, exchange: Exchange): Promise<void> {
  const { settings, scripts, requests } = state;
  const script = scripts.shift() ?? {};
  requests.push(exchange.record);
  try {
    const reply = await decide(state, exchange, script);
    await respond(exchange, reply, script);
  } catch {
    // The script cannot be sent, and the caller must not wait for it.
    exchange.request.socket.destroy();
  }
  settings.onRequest?.(exchange.record);
}

async function decide(
  { settings, nameUpload, uploads }: ServiceState,
  exchange: Exchange,
  script: ScriptedResponse,
): Promise<Reply> {
  try {
    if (script.status === undefined) {
      const upload = await receive(exchange, settings, nameUpload);
      exchange.record.upload = upload;
      uploads.push(upload);
      return { status: 200 };
    }
    askForBody(exchange);
    await drainBody(exchange);
    return { status: script.status, body: script.body ?? '' };
  } catch (error) {
    // Other errors: the caller has closed the connection, or the service itself failed.
    return error instanceof Refusal ? error.reply : makeProblem(500);
  }
}
