import type { FindingRows, Layout, Path, Rows } from '../formats/format.ts';
import { Place } from './place.ts';

/** The root of all places that any of these layouts asks for. */
export function plantPlaces(layouts: readonly Layout[]): Place {
  const root = new Place();
  for (const layout of layouts) {
    for (const { at } of [...layout.marks.flat(), ...(layout.specVersion ?? [])]) {
      root.reach(at).isWatched = true;
    }
    for (const [rows, paths] of listRows(layout)) plantRows(root, rows, paths);
  }
  return root;
}

function plantRows(root: Place, rows: Rows, paths: readonly Path[]): void {
  const each = root.reach(rows.each);
  each.rows.push(rows);
  for (const path of paths) each.reach(path).rowTexts.push({ rows, path });
}

/** The rows of a layout, each with the paths below it that are asked for. */
function listRows(layout: Layout): readonly (readonly [Rows, readonly Path[]])[] {
  return [
    ...(layout.tools ?? []).map(
      (rows) => [rows, [...list(rows.name?.at), ...(rows.version ?? [])]] as const,
    ),
    ...(layout.components ?? []).map((rows) => [rows, listConditions(rows)] as const),
    ...listFindingRows(layout).map(
      (rows) =>
        [rows, [...listConditions(rows), ...list(rows.severity), ...(rows.rule ?? [])]] as const,
    ),
    ...(layout.rules ?? []).map((rows) => [rows, [rows.id, rows.severity]] as const),
  ];
}

function listFindingRows({ vulnerabilities = [], findings = [] }: Layout): readonly FindingRows[] {
  return [...vulnerabilities, ...findings];
}

function listConditions({ where = [] }: Rows): readonly Path[] {
  return where.map(({ at }) => at);
}

function list(path: Path | undefined): readonly Path[] {
  return path === undefined ? [] : [path];
}
