// Fails if the named paths differ from what is committed, new files included.
import { execFileSync } from 'node:child_process';

const paths = process.argv.slice(2);
const changes = execFileSync('git', ['status', '--porcelain', '--', ...paths], {
  encoding: 'utf8',
});
if (changes !== '') {
  console.error(`Not as committed; build again and commit the result:\n${changes}`);
  process.exit(1);
}
console.log(`As committed: ${paths.join(', ')}`);
