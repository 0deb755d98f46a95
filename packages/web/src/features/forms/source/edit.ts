import type { Path } from '@millrace/engine';

/** One change of a document, named by the place it happens at. */
export type Edit =
  /** Without a value what stands there goes, and with it every map or list that becomes empty by that. */
  | {
      readonly kind: 'set';
      readonly path: Path;
      readonly value?: unknown;
      readonly order?: readonly string[];
    }
  | { readonly kind: 'rename'; readonly path: Path; readonly name: string }
  | { readonly kind: 'insert'; readonly path: Path; readonly index: number; readonly value: unknown }
  | { readonly kind: 'move'; readonly path: Path; readonly from: number; readonly to: number };

type Map = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Map =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;

export function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (Array.isArray(value)) value = value[step as number];
    else if (isMap(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** The path to remove with the value: the path itself, or the parent that would be left empty. */
export function prunedPath(data: unknown, path: Path): Path {
  const parent = path.slice(0, -1);
  const holder = valueAt(data, parent);
  const size = Array.isArray(holder) ? holder.length : isMap(holder) ? Object.keys(holder).length : 0;
  return size === 1 && parent.length > 0 && typeof parent.at(-1) === 'string'
    ? prunedPath(data, parent)
    : path;
}

/** The data after the change: what the changed text has to say. */
export function applyEdit(data: unknown, edit: Edit): unknown {
  switch (edit.kind) {
    case 'set':
      return edit.value === undefined
        ? removeAt(data, prunedPath(data, edit.path))
        : changeAt(data, edit.path, () => edit.value);
    case 'rename': {
      const last = edit.path.at(-1);
      return changeAt(data, edit.path.slice(0, -1), (holder) =>
        Object.fromEntries(
          Object.entries(isMap(holder) ? holder : {}).map(([key, value]) => [
            key === last ? edit.name : key,
            value,
          ]),
        ),
      );
    }
    case 'insert':
      return changeAt(data, edit.path, (list) =>
        (Array.isArray(list) ? list : []).toSpliced(edit.index, 0, edit.value),
      );
    case 'move':
      return changeAt(data, edit.path, (list) => moved(Array.isArray(list) ? list : [], edit.from, edit.to));
  }
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return from in list ? rest.toSpliced(to, 0, list[from] as T) : rest;
}

function changeAt(data: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(data);
  if (Array.isArray(data) && typeof step === 'number')
    return data.with(step, changeAt(data[step], rest, change));
  const map = isMap(data) ? data : {};
  return { ...map, [step]: changeAt(Object.hasOwn(map, step) ? map[step] : undefined, rest, change) };
}

function removeAt(data: unknown, path: Path): unknown {
  const last = path.at(-1);
  if (last === undefined) return null;
  return changeAt(data, path.slice(0, -1), (holder) => {
    if (Array.isArray(holder)) return holder.toSpliced(last as number, 1);
    return Object.fromEntries(Object.entries(isMap(holder) ? holder : {}).filter(([key]) => key !== last));
  });
}

/** Equal as data: the order of properties says nothing. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameData(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameData(a[key], b[key]))
  );
}
