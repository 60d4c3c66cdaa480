import type { Inputs } from '../inputs/inputs.ts';
import type { UploadPlan } from '../plan/plan.ts';
import type { RequestBody } from '../service/body.ts';

/** An upload: what is sent, where and how. */
export interface UploadTask {
  /** What messages call its scan. */
  readonly label: string;
  /** The URL of the operation. */
  readonly url: URL;
  readonly plan: UploadPlan;
  readonly scanKey: string;
  readonly body: RequestBody;
  /** The trace id that its requests have: `traceparent` (W3C Trace Context). */
  readonly requestTraceId: string;
  readonly inputs: Pick<Inputs, 'credential' | 'headers' | 'proxy' | 'retries' | 'stallMs' | 'tls'>;
}
