import { Lifecycle } from './lifecycle.ts';
import { run } from './main.ts';

// Green has to be earned: a process that ends early, however it does, has failed.
process.exitCode = 1;

const lifecycle = new Lifecycle();
lifecycle.watch();
void run(lifecycle).then((exitCode) => lifecycle.end(exitCode));
