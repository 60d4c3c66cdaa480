// Makes Node look like 18 (on OLD_NODE_ARCH, if it is set): its version, and without what came later.
// Node's own module needs toSorted while it is loaded.
process.getBuiltinModule('node:http');
const versions = { ...process.versions, node: '18.20.4' };
Object.defineProperty(process, 'versions', { value: versions });
Object.defineProperty(process, 'arch', { value: process.env.OLD_NODE_ARCH ?? process.arch });
for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) {
  Reflect.deleteProperty(Array.prototype, name);
}
Reflect.deleteProperty(URL, 'parse');
