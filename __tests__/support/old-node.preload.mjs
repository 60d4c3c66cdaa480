// Makes Node look like 18: its version, and without what came later.
// Node's own module needs toSorted while it is loaded.
process.getBuiltinModule('node:http');
const versions = { ...process.versions, node: '18.20.4' };
Object.defineProperty(process, 'versions', { value: versions });
for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) {
  Reflect.deleteProperty(Array.prototype, name);
}
Reflect.deleteProperty(URL, 'parse');
