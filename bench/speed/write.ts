import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { drawChart } from './chart.ts';
import { replaceBetweenMarkers } from './markers.ts';
import type { Results } from './results.ts';
import { formatTables } from './table.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Writes the results down: as JSON, as the tables of a page, and as a picture. */
export async function writeResults(results: Results): Promise<void> {
  const page = join(ROOT, 'docs', 'performance.md');
  const text = replaceBetweenMarkers(readFileSync(page, 'utf8'), formatTables(results));
  await writeFormatted(page, text);
  await writeFormatted(join(ROOT, 'bench', 'results.json'), JSON.stringify(results, undefined, 2));
  writeFileSync(join(ROOT, 'docs', 'performance.svg'), drawChart(results));
}

async function writeFormatted(path: string, text: string): Promise<void> {
  const style = await resolveConfig(path);
  writeFileSync(path, await format(text, { ...style, filepath: path }));
}
