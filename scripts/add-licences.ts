// Adds to dist/licenses.txt the licence texts of packages that come without one. Each text is from
// the package's repository, at the tag of the bundled version: scripts/licences/<package>.txt.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXTS = join(import.meta.dirname, 'licences');
const LICENCES = join('dist', 'licenses.txt');

let licences = readFileSync(LICENCES, 'utf8');
for (const file of readdirSync(TEXTS)) {
  const name = file.slice(0, -'.txt'.length);
  // ncc writes the name, the licence's name and the text, with an empty line after each package.
  const bare = new RegExp(`^${name}\n.+\n\n`, 'm');
  if (!bare.test(licences)) {
    throw new Error(
      `${LICENCES} does not name ${name} without a text: remove ${join(TEXTS, file)}`,
    );
  }
  const text = readFileSync(join(TEXTS, file), 'utf8');
  licences = licences.replace(bare, (heading) => `${heading.trimEnd()}\n${text}\n`);
}
writeFileSync(LICENCES, licences);
