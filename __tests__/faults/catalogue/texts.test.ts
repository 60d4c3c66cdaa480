import { testGroup } from '../harness/group.ts';

testGroup('texts');
