import { Lifecycle } from './lifecycle.ts';
import { run } from './main.ts';
import { Log } from './report/log.ts';

// A process that ends early for any reason must fail: only the end of the step sets the exit code to 0.
process.exitCode = 1;

const lifecycle = new Lifecycle((text) => new Log().error('Scan upload ended', text));
lifecycle.watch();
void run(lifecycle).then((exitCode) => lifecycle.end(exitCode));
