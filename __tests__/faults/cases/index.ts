import type { FaultCase } from '../harness/types.ts';
import { ANSWERS } from './answers.ts';
import { BODIES } from './bodies.ts';
import { CERTIFICATES } from './certificates.ts';
import { CHANGING_FILES } from './changing-files.ts';
import { COMMANDS } from './commands.ts';
import { CONNECTING } from './connecting.ts';
import { HOSTILE_JSON, MARKED } from './contents.ts';
import { IDENTITY } from './identity.ts';
import { LONG_TEXTS, SLOW_TEXTS } from './long-texts.ts';
import { NAMES } from './names.ts';
import { PROXY_FAULTS } from './proxy-faults.ts';
import { PROXY_SETTINGS } from './proxy-settings.ts';
import { REDIRECTS } from './redirects.ts';
import { REFUSALS } from './refusals.ts';
import { SENDING } from './sending.ts';
import { SETTINGS } from './settings.ts';
import { SPLIT_SECRETS } from './split-secrets.ts';
import { STOPPING } from './stopping.ts';
import { UNUSABLE_FILES } from './unusable-files.ts';

/** Every fault of the suite, row by row. */
export const CASES: readonly FaultCase[] = [
  ...[SENDING, ANSWERS, BODIES, REFUSALS, REDIRECTS].flat(),
  ...[CONNECTING, CERTIFICATES, PROXY_FAULTS, PROXY_SETTINGS].flat(),
  ...[CHANGING_FILES, UNUSABLE_FILES, NAMES, STOPPING, IDENTITY, SETTINGS].flat(),
  ...[COMMANDS, SPLIT_SECRETS, HOSTILE_JSON, MARKED, SLOW_TEXTS, LONG_TEXTS].flat(),
];
