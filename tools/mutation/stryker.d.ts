// The part of Stryker that mutate.ts uses. npm ci at the root does not install Stryker, so its own
// types may be missing when everything is compiled and linted.
declare module '@stryker-mutator/core' {
  export class Stryker {
    /** Takes options in addition to those of `configFile`, and checks all of them when it runs. */
    constructor(options: object);

    /** Resolves with every mutant of the run; rejects if the tests fail without a mutant. */
    runMutationTest(): Promise<readonly { readonly status: string }[]>;
  }
}
