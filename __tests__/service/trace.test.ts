import { describe, expect, test } from '@jest/globals';
import { createTraceId, createTraceparent } from '../../src/service/trace.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';

describe('createTraceId', () => {
  test('makes 32 lower-case hexadecimal digits, other ones each time', () => {
    const ids = Array.from({ length: 20 }, createTraceId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(20);
  });
});

describe('createTraceparent', () => {
  test('keeps the trace and makes a new span each time, sampled', () => {
    const parents = Array.from({ length: 20 }, () => createTraceparent(ID));
    for (const parent of parents) expect(parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    for (const parent of parents) expect(parent.split('-')[1]).toBe(ID);
    expect(new Set(parents).size).toBe(20);
  });
});
