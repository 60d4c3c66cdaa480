// @actions/glob by itself: node glob.js <pattern>
import { create } from '@actions/glob';

const globber = await create(process.argv[2] ?? '', { implicitDescendants: false });
console.log((await globber.glob()).join('\n'));
