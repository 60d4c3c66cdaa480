import { Lifecycle } from './lifecycle.ts';
import { run } from './main.ts';

// A process that ends early for any reason must fail: only the end of the step sets the exit code to 0.
process.exitCode = 1;

const lifecycle = new Lifecycle();
lifecycle.watch();
void run(lifecycle).then((exitCode) => lifecycle.end(exitCode));
