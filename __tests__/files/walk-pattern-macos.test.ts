import { describe, expect, test } from '@jest/globals';

// Makes the modules follow the rules of macOS on any system.
Object.defineProperty(process, 'platform', { value: 'darwin' });

const { compilePattern } = await import('../../src/files/walk-pattern.ts');

const [COMPOSED, DECOMPOSED] = ['\u00E9', 'e\u0301'];

describe('compilePattern on macOS', () => {
  test.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('matches %j in a pattern with %j in a name', (written, listed) => {
    const pattern = compilePattern(`/a/${written}/*-${written}/${written}.json`, false);
    const directory = pattern.advance(`/a/${listed}/b-${listed}`);
    expect(directory.matchesFile(`${listed}.json`)).toBe(true);
    expect(directory.matchesFile('e.json')).toBe(false);
  });

  test('distinguishes capital and small letters, as on Linux', () => {
    expect(compilePattern('/a/*.json', false).advance('/a').matchesFile('B.JSON')).toBe(false);
  });
});
