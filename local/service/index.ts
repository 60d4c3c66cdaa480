/** The Scan Upload Service on one's own machine. */
export { startService } from './start-service.ts';
export { DEFAULT_MAX_BODY_BYTES } from './settings.ts';
export type {
  HeaderPair,
  LocalService,
  RecordedPart,
  RecordedRequest,
  RecordedUpload,
  ScriptedAnswer,
  ServiceOptions,
  TlsMaterial,
} from './types.ts';
