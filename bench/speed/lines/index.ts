import type { Line } from '../line.ts';
import { BATCH, DISTANT, SCANS_MEMORY } from './batch.ts';
import { BUNDLE_SIZE } from './bundle.ts';
import { MEMORY } from './memory.ts';
import { PLAIN } from './plain.ts';
import { LITERAL, SEARCH } from './search.ts';
import { SMALL } from './small.ts';
import { TLS } from './tls.ts';

/** All lines, in the order they run in. */
export const LINES: readonly Line[] = [
  SMALL,
  TLS,
  PLAIN,
  MEMORY,
  SEARCH,
  LITERAL,
  BATCH,
  DISTANT,
  SCANS_MEMORY,
  BUNDLE_SIZE,
];
