import { describe, expect, test } from '@jest/globals';

// Makes the modules follow the rules of macOS on any system.
Object.defineProperty(process, 'platform', { value: 'darwin' });

const { advance, compilePattern, isWanted } = await import('../../src/files/walk-pattern.ts');

function matches(text: string, path: string): boolean {
  const filter = { include: compilePattern(text, false), excludes: [] };
  return isWanted(advance(filter, path));
}

const [COMPOSED, DECOMPOSED] = ['\u00E9', 'e\u0301'];

describe('compilePattern on macOS', () => {
  test.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('matches %j in a pattern with %j in a name', (written, listed) => {
    const pattern = `/a/${written}/*-${written}/${written}.json`;
    expect(matches(pattern, `/a/${listed}/b-${listed}/${listed}.json`)).toBe(true);
    expect(matches(pattern, `/a/${listed}/b-${listed}/e.json`)).toBe(false);
  });

  test('distinguishes capital and small letters, as on Linux', () => {
    expect(matches('/a/*.json', '/a/B.JSON')).toBe(false);
  });
});
