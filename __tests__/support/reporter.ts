import { describeSkipped } from './skip-reasons.ts';

/** The part of jest's results that is read here. */
interface Results {
  readonly testResults: readonly {
    readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Prints at the end of a run why tests were skipped. */
export default class RunReporter {
  onRunComplete(_: unknown, { testResults }: Results): void {
    const tests = testResults.flatMap((file) => file.testResults);
    const skipped = tests.filter(({ status }) => status === 'pending');
    const line = describeSkipped(skipped.map(({ fullName }) => fullName));
    if (line !== undefined) process.stderr.write(`\n${line}\n`);
  }
}
