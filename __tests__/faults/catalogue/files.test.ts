import { testGroup } from '../harness/group.ts';

testGroup('files');
