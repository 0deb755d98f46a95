/** One value of two, and the values inside it when both are maps or lists. */
export interface ValueDifference {
  readonly name: string;
  readonly kind: 'same' | 'changed' | 'onlyLeft' | 'onlyRight';
  readonly left?: unknown;
  readonly right?: unknown;
  readonly children?: readonly ValueDifference[];
}

/** Whether two texts that are not equal still mean the same, such as two addresses that contain an id. */
export type IsSameText = (left: string, right: string) => boolean;

/** Deeper values count as changed, so that a hostile value cannot overflow the stack. */
const maxDepth = 64;

const never: IsSameText = () => false;

/** Compares the values of two maps name by name; names keep the order of the left side. */
export function diffValues(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  isSameText: IsSameText = never,
): ValueDifference[] {
  return diffParts(left, right, isSameText, 0);
}

export const isSameValue = (left: unknown, right: unknown, isSameText: IsSameText = never): boolean =>
  isSame(left, right, isSameText, 0);

/** The first value that differs, with the path to it: `rows[0].id`. */
export function firstDifference(
  differences: readonly ValueDifference[],
  before = '',
): { readonly path: string; readonly difference: ValueDifference } | undefined {
  for (const difference of differences) {
    if (difference.kind === 'same') continue;
    const isPosition = before !== '' && /^\d+$/.test(difference.name);
    const name = isPosition ? `[${difference.name}]` : difference.name;
    const path = before === '' || isPosition ? before + name : `${before}.${name}`;
    return firstDifference(difference.children ?? [], path) ?? { path, difference };
  }
  return undefined;
}

function diffParts(left: object, right: object, isSameText: IsSameText, depth: number): ValueDifference[] {
  const [a, b] = [partsOf(left), partsOf(right)];
  const names = [...a.keys(), ...[...b.keys()].filter((name) => !a.has(name))];
  return names.map((name): ValueDifference => {
    if (!b.has(name)) return { name, kind: 'onlyLeft', left: a.get(name) };
    if (!a.has(name)) return { name, kind: 'onlyRight', right: b.get(name) };
    return diffOne(name, a.get(name), b.get(name), isSameText, depth);
  });
}

function diffOne(
  name: string,
  left: unknown,
  right: unknown,
  isSameText: IsSameText,
  depth: number,
): ValueDifference {
  if (isSame(left, right, isSameText, depth)) return { name, kind: 'same', left, right };
  if (!isParted(left) || !isParted(right) || isOtherKind(left, right) || depth >= maxDepth)
    return { name, kind: 'changed', left, right };
  return { name, kind: 'changed', left, right, children: diffParts(left, right, isSameText, depth + 1) };
}

function isSame(left: unknown, right: unknown, isSameText: IsSameText, depth: number): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right);
  if (!isParted(left) || !isParted(right) || isOtherKind(left, right) || depth >= maxDepth) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  // `as`, twice: the names are their own.
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>];
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name], isSameText, depth + 1));
}

const partsOf = (value: object): Map<string, unknown> => new Map(Object.entries(value));

const isParted = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isOtherKind = (left: object, right: object): boolean => Array.isArray(left) !== Array.isArray(right);
