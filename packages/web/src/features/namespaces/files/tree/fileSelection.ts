import type { FileRow } from './fileRows.ts';

/** The selected rows, the row that a range begins at, and the row that keys act on. */
export interface FileSelection {
  readonly paths: ReadonlySet<string>;
  readonly anchor?: string | undefined;
  readonly focus?: string | undefined;
}

export interface Modifiers {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export const noSelection: FileSelection = { paths: new Set() };

export const selectOnly = (path: string): FileSelection => ({
  paths: new Set([path]),
  anchor: path,
  focus: path,
});

/** A click on a row: alone it selects the row, with Ctrl it adds or removes it, with Shift it selects a range. */
export function selectByClick(
  known: FileSelection,
  rows: readonly FileRow[],
  path: string,
  keys: Modifiers,
): FileSelection {
  if (keys.shiftKey) return selectRange(known, rows, path);
  if (!keys.ctrlKey && !keys.metaKey) return selectOnly(path);
  const paths = new Set(known.paths);
  if (!paths.delete(path)) paths.add(path);
  return { paths, anchor: path, focus: path };
}

/** An arrow key: alone it selects the row it reaches, with Shift the range to it; with Ctrl only the focus moves. */
export function selectByKey(
  known: FileSelection,
  rows: readonly FileRow[],
  path: string,
  keys: Modifiers,
): FileSelection {
  if (keys.shiftKey) return selectRange(known, rows, path);
  return keys.ctrlKey || keys.metaKey ? { ...known, focus: path } : selectOnly(path);
}

export const selectAll = (known: FileSelection, rows: readonly FileRow[]): FileSelection => ({
  ...known,
  paths: new Set(rows.map(({ path }) => path)),
});

function selectRange(known: FileSelection, rows: readonly FileRow[], path: string): FileSelection {
  const places = rows.map((row) => row.path);
  const from = places.indexOf(known.anchor ?? known.focus ?? path);
  const to = places.indexOf(path);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  const paths = new Set(places.slice(first, last + 1));
  return { paths, anchor: from < 0 ? path : places[from], focus: path };
}

/** The selected paths without those inside a folder that is selected too: an action on the folder includes them. */
export const outermost = (paths: Iterable<string>): string[] => {
  const all = [...paths];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
};
