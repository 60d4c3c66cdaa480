import { testGroup } from '../harness/group.ts';

testGroup('sending');
