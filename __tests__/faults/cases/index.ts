import type { FaultCase } from '../harness/types.ts';
import { RESPONSES } from './responses.ts';
import { BODIES } from './bodies.ts';
import { CERTIFICATES } from './certificates.ts';
import { CHANGING_FILES } from './changing-files.ts';
import { COMMANDS } from './commands.ts';
import { CONNECTING } from './connecting.ts';
import { HOSTILE_JSON, MARKED } from './contents.ts';
import { IDENTITY } from './identity.ts';
import { LONG_TEXTS, SLOW_TEXTS } from './long-texts.ts';
import { NAMES } from './names.ts';
import { PROXY_CERTIFICATES } from './proxy-certificates.ts';
import { PROXY_FAULTS } from './proxy-faults.ts';
import { PROXY_SETTINGS } from './proxy-settings.ts';
import { REDIRECTS } from './redirects.ts';
import { REFUSALS } from './refusals.ts';
import { SENDING } from './sending.ts';
import { SETTINGS } from './settings.ts';
import { SPLIT_SECRETS } from './split-secrets.ts';
import { STOPPING } from './stopping.ts';
import { UNUSABLE_FILES } from './unusable-files.ts';

/**
 * The catalogue of faults in groups. Each group has a test file of its name in `catalogue/`, so that
 * several workers share the catalogue.
 */
export const GROUPS = {
  commands: COMMANDS,
  connecting: [...CONNECTING, ...CERTIFICATES],
  files: [...CHANGING_FILES, ...UNUSABLE_FILES, ...NAMES],
  proxies: [...PROXY_FAULTS, ...PROXY_SETTINGS, ...PROXY_CERTIFICATES],
  refusals: [...REFUSALS, ...REDIRECTS],
  responses: [...RESPONSES, ...BODIES],
  sending: SENDING,
  step: [...STOPPING, ...IDENTITY, ...SETTINGS],
  texts: [...SPLIT_SECRETS, ...HOSTILE_JSON, ...MARKED, ...SLOW_TEXTS, ...LONG_TEXTS],
} satisfies Readonly<Record<string, readonly FaultCase[]>>;
