import { describeRequest } from './serve/describe.ts';
import { FlagError, HELP, readFlags, USAGE } from './serve/flags.ts';
import { startService, type LocalService } from './service/index.ts';

const FAILURE = 1;
const USAGE_ERROR = 2;

try {
  await serve(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage =
    error instanceof FlagError || error instanceof RangeError || error instanceof TypeError;
  console.error(isUsage ? `${message}; ${USAGE}` : message);
  process.exitCode = isUsage ? USAGE_ERROR : FAILURE;
}

async function serve(args: readonly string[]): Promise<void> {
  const options = readFlags(args, process.env);
  if (options === 'help') {
    console.log(HELP);
    return;
  }
  const service = await startService({
    ...options,
    onRequest: (request) => console.log(describeRequest(request)),
  });
  console.log(service.url);
  closeOnSignal(service);
}

function closeOnSignal(service: LocalService): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.close());
  }
}
