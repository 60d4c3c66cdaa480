import { InputError } from '../errors.ts';
import { CHECK_VARIABLE, getText } from './fields.ts';

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The longest value that a message repeats; a UUID has 36 characters. */
const MAX_SHOWN_CHARACTERS = 40;

/** Reads the booleans of YAML 1.2, as `core.getBooleanInput` does. Throws an InputError for others. */
export function readFlag(name: string, fallback: string): boolean {
  const text = getText(name, fallback);
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  throw new InputError(`\`${name}\` must be true or false, not ${showValue(text)}.`);
}

/** Reads one of `values`, the first by default. Throws an InputError that lists them. */
export function readChoice<const T extends string>(name: string, values: readonly T[]): T {
  const text = getText(name, values[0]);
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined) return value;
  throw new InputError(`\`${name}\` must be one of ${values.join(', ')}, not ${showValue(text)}.`);
}

/** Reads a whole number in decimal digits, from `min` to `max`. Throws an InputError. */
export function readInteger(name: string, fallback: string, min: number, max: number): number {
  const text = getText(name, fallback);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InputError(
    `\`${name}\` must be a whole number from ${min} to ${max}, not ${showValue(text)}.`,
  );
}

/**
 * A scan key: 8-4-4-4-12 hexadecimal digits of any UUID version (interface document: format `uuid`),
 * but not the nil UUID, which often means that no value was set. `fix` says what to do if the text is
 * empty. Throws an InputError.
 */
export function parseScanKey(
  text: string,
  fix = `Set it to the UUID of the scan. ${CHECK_VARIABLE}`,
): string {
  if (text === '') throw new InputError(`\`scan-key\` is required. ${fix}`);
  if (!UUID.test(text)) {
    throw new InputError(
      `\`scan-key\` must be a UUID (8-4-4-4-12 hexadecimal digits), not ${showValue(text)}.`,
    );
  }
  if (text === NIL_UUID) throw new InputError('`scan-key` must not be the nil UUID (all zeros).');
  return text;
}

/**
 * A value for a message. A longer value is not shown, because it may be a secret in the wrong input: if the
 * message is cut, the runner does not find the whole secret and does not mask the rest.
 */
function showValue(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `a text of ${text.length} characters` : `'${text}'`;
}
