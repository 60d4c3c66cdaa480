/** The Scan Upload Service on one's own machine. */
export { startService } from './start-service.ts';
export type {
  LocalService,
  RecordedRequest,
  ScriptedResponse,
  ServiceOptions,
  TlsMaterial,
} from './types.ts';
