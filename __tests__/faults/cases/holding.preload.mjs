// Loaded into the action ahead of it: holds it where HOLD says, as a file system or a resolver does
// that does not respond, or lets it go on; writes `held` once it is there.
import { subscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { promises } from 'node:fs';

const { HOLD, GITHUB_WORKSPACE = '' } = process.env;

const report = () => process.stdout.write('held\n');

/**
 * Never lets a function of the file system settle for what lies in the workspace.
 * @param {'stat' | 'readdir' | 'open' | 'access'} name
 */
function holdFiles(name) {
  const original = promises[name];
  const held = (/** @type {unknown[]} */ ...values) => {
    const isHeld = String(values[0]).startsWith(GITHUB_WORKSPACE);
    if (isHeld) report();
    /** @type {unknown} */
    const result = isHeld ? new Promise(() => {}) : Reflect.apply(original, promises, values);
    return result;
  };
  Object.assign(promises, { [name]: held });
}

/** Has a thread read for a while wherever a file is read. */
function slowReads() {
  const { open } = promises;
  /** @type {typeof open} */
  const openSlow = async (...values) => {
    const handle = await open(...values);
    const read = handle.read.bind(handle);
    const readSlowly = async (/** @type {Parameters<typeof read>} */ ...wanted) => {
      report();
      const start = performance.now();
      while (performance.now() < start + 100) await read(...wanted);
      return read(...wanted);
    };
    return Object.assign(handle, { read: readSlowly });
  };
  Object.assign(promises, { open: openSlow });
}

if (HOLD === 'search') holdFiles('stat');
else if (HOLD === 'list') holdFiles('readdir');
else if (HOLD === 'open') holdFiles('open');
else if (HOLD === 'workspace') holdFiles('access');
else if (HOLD === 'read') slowReads();
else if (HOLD === 'name') Object.assign(dns, { lookup: report });
// Published once a response has begun.
else if (HOLD === 'response') subscribe('http.client.response.finish', report);
else throw new Error('unknown HOLD');
