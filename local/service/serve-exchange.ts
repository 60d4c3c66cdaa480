import type { Exchange } from './exchange.ts';
import { answerProblem, type Answer } from './problem.ts';
import { receive } from './reception.ts';
import type { RequestRecord } from './record.ts';
import { reply } from './reply.ts';
import { applyScript } from './scripted.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { RecordedUpload, ScriptedAnswer } from './types.ts';

/** What the requests of one service share. */
export interface ServiceState {
  readonly settings: Settings;
  readonly store: Store;
  readonly script: ScriptedAnswer[];
  readonly requests: RequestRecord[];
  readonly uploads: RecordedUpload[];
}

/** Serves one request to its end; a caller that leaves is an end like any other. */
export async function serveExchange(state: ServiceState, exchange: Exchange): Promise<void> {
  const script = state.script.shift() ?? {};
  state.requests.push(exchange.record);
  const answer = await decideAnswer(state, exchange, script);
  const { cut, delayMs = 0 } = script;
  const waitMs = delayMs + state.settings.latencyMs;
  await reply(exchange, answer, { cut, delayMs: waitMs, abrupt: isUnread(script) });
}

async function decideAnswer(
  state: ServiceState,
  exchange: Exchange,
  script: ScriptedAnswer,
): Promise<Answer> {
  try {
    if (script.status === undefined) {
      return applyScript(script, await handle(state, exchange));
    }
    if (!isUnread(script)) {
      exchange.askForBody();
      await exchange.body.drain();
    }
    const { status, body = '' } = script;
    return applyScript(script, { status, headers: {}, body });
  } catch {
    // A caller that left is not there to see this; whoever is has run into a fault of the service.
    return answerProblem(500, exchange.traceId);
  }
}

function isUnread(script: ScriptedAnswer): boolean {
  return script.status !== undefined && script.readBody === false;
}

async function handle(state: ServiceState, exchange: Exchange): Promise<Answer> {
  const { answer, upload } = await receive(exchange, state.settings, state.store);
  if (upload !== undefined) {
    exchange.record.upload = upload;
    state.uploads.push(upload);
  }
  return answer;
}
