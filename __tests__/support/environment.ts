import { cleanUp } from './scope.ts';

/** Sets environment variables, or removes them (undefined), until the test has ended. */
export function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    assignVariable(name, value);
    cleanUp(() => assignVariable(name, before));
  }
}

function assignVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
