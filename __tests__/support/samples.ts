import { createHash, randomBytes } from 'node:crypto';

export const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** A scan key for the number of a scan. */
export function makeKey(index: number): string {
  return `3fa85f64-5717-4562-b3fc-${String(index).padStart(12, '0')}`;
}

/** A small JSON scan file that is not CycloneDX. */
export const REPORT = '{"SchemaVersion":2,"Results":[]}';

/** A small CycloneDX SBOM. */
export const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left', version: '1.0.0' }],
});

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Bytes without repeated parts. */
export function makeBytes(length: number): Buffer {
  return randomBytes(length);
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
