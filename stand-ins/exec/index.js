// @actions/core imports @actions/exec to ask the system for its version. This action never asks, so its
// code to start processes would only add 50 kB and work for those who read the bundle.
// "overrides" in package.json replaces @actions/exec with this file.
export function getExecOutput() {
  throw new Error('@actions/exec is not part of this action: it starts no processes');
}
