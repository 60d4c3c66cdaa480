// @actions/core imports @actions/exec for platform.getDetails(), which asks programs of the system for
// its name. This action never does, and so starts without node:child_process. package.json's
// "overrides" puts this file in its place.
export async function getExecOutput() {
  throw new Error('@actions/exec is not part of this action: do not call platform.getDetails()');
}
