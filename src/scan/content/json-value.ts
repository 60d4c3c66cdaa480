import { ITEM } from '../document/place.ts';
import { MAX_TEXT_CHARACTERS } from './json-text.ts';
import type { Visitor } from '../document/collector.ts';

/** Tells a visitor of a value that JSON.parse made. Only what is of interest is looked at. */
export function tellValue(value: unknown, visitor: Visitor): void {
  if (Array.isArray(value)) {
    for (const item of value) tellMember(ITEM, item, visitor);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) tellMember(name, member, visitor);
  } else if (visitor.wantsText && isText(value)) visitor.write(String(value));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= MAX_TEXT_CHARACTERS : Number.isFinite(value);
}

function tellMember(name: string | typeof ITEM, value: unknown, visitor: Visitor): void {
  if (!visitor.enter(name)) return;
  tellValue(value, visitor);
  visitor.leave();
}
