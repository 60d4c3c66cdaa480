import type { FaultCase } from '../harness/types.ts';
import { BODIES } from './bodies.ts';
import { CERTIFICATES } from './certificates.ts';
import { CHANGING_FILES } from './changing-files.ts';
import { CONNECTING } from './connecting.ts';
import { IDENTITY } from './identity.ts';
import { NAMES } from './names.ts';
import { PROXIES } from './proxies.ts';
import { REDIRECTS } from './redirects.ts';
import { REFUSALS } from './refusals.ts';
import { RESPONSES } from './responses.ts';
import { SENDING } from './sending.ts';
import { SETTINGS } from './settings.ts';
import { STOPPING } from './stopping.ts';
import { TEXTS } from './texts.ts';
import { UNUSABLE_FILES } from './unusable-files.ts';

/**
 * The catalogue of faults in groups. Each group has a test file of its name in `catalogue/`, so that
 * several workers share the catalogue.
 */
export const GROUPS = {
  connecting: [...CONNECTING, ...CERTIFICATES, ...PROXIES],
  files: [...CHANGING_FILES, ...UNUSABLE_FILES, ...NAMES],
  refusals: [...REFUSALS, ...REDIRECTS],
  responses: [...RESPONSES, ...BODIES],
  sending: SENDING,
  step: [...IDENTITY, ...STOPPING, ...SETTINGS],
  texts: TEXTS,
} satisfies Readonly<Record<string, readonly FaultCase[]>>;
