/** A local Scan Upload Service. */
export { startService } from './start-service.ts';
export type {
  LocalService,
  RecordedRequest,
  ScriptedResponse,
  ServiceOptions,
  TlsMaterial,
} from './types.ts';
