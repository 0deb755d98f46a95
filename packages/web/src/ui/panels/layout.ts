import { z } from 'zod';

/*
 * How panels are arranged: a stack of tabs, or a split into parts beside or below each other. A layout is a value; each
 * function returns another one, without empty stacks, splits of one part, and splits of the same direction inside each other.
 */
export interface Stack {
  readonly tabs: readonly string[];
  readonly active: string;
}
export interface Split {
  readonly direction: 'row' | 'column';
  readonly parts: readonly Layout[];
  /** The share of each part; they add up to 1. */
  readonly shares: readonly number[];
}
export type Layout = Stack | Split;
export type Side = 'left' | 'right' | 'top' | 'bottom';

export const isSplit = (layout: Layout): layout is Split => 'parts' in layout;

export const stackOf = (...tabs: readonly string[]): Stack => ({ tabs, active: tabs[0] ?? '' });

/** The panels beside each other, with equal shares. */
export const rowOf = (ids: readonly string[]): Layout =>
  normalize({
    direction: 'row',
    parts: ids.map((id) => stackOf(id)),
    shares: ids.map(() => 1 / ids.length),
  }) ?? stackOf();

/** The stacks in the order in which they are read. */
export const stacksOf = (layout: Layout): Stack[] =>
  isSplit(layout) ? layout.parts.flatMap(stacksOf) : [layout];

export const tabsOf = (layout: Layout): string[] => stacksOf(layout).flatMap(({ tabs }) => [...tabs]);

export const stackWith = (layout: Layout, tab: string): Stack | undefined =>
  stacksOf(layout).find(({ tabs }) => tabs.includes(tab));

export const activate = (layout: Layout, tab: string): Layout =>
  changeStack(layout, tab, (stack) => ({ ...stack, active: tab }));

export function closeTab(layout: Layout, tab: string): Layout {
  const closed = changeStack(layout, tab, ({ tabs, active }) => {
    const at = tabs.indexOf(tab);
    const left = tabs.filter((one) => one !== tab);
    return { tabs: left, active: active === tab ? (left[Math.min(at, left.length - 1)] ?? '') : active };
  });
  return normalize(closed) ?? stackOf();
}

/** Puts a tab into the stack that has `beside`, before the tab at `index` or at the end. The tab becomes active. */
export function stackTab(layout: Layout, tab: string, beside: string, index?: number): Layout {
  const target = stackWith(layout, beside);
  if (!target) return layout;
  const others = target.tabs.filter((one) => one !== tab);
  const anchor = others.includes(beside) ? beside : others[0];
  const before = index === undefined ? undefined : target.tabs.slice(index).find((one) => one !== tab);
  if (anchor === undefined) return activate(layout, tab);
  return changeStack(closeTab(layout, tab), anchor, ({ tabs }) => {
    const at = before === undefined ? tabs.length : tabs.indexOf(before);
    return { tabs: [...tabs.slice(0, at), tab, ...tabs.slice(at)], active: tab };
  });
}

/** Makes a tab a part next to the stack that has `beside`, which gives up half of its place. */
export function splitTab(layout: Layout, tab: string, beside: string, side: Side): Layout {
  const target = stackWith(layout, beside);
  const anchor = target?.tabs.find((one) => one !== tab);
  if (anchor === undefined) return layout;
  const isFirst = side === 'left' || side === 'top';
  const split = replaceStack(closeTab(layout, tab), anchor, (stack) => ({
    direction: side === 'left' || side === 'right' ? 'row' : 'column',
    parts: isFirst ? [stackOf(tab), stack] : [stack, stackOf(tab)],
    shares: [0.5, 0.5],
  }));
  return normalize(split) ?? layout;
}

/** A panel that was closed: at the right of the others, or at their left. */
export function addTab(layout: Layout, tab: string, side: 'left' | 'right' = 'right'): Layout {
  if (tabsOf(layout).length === 0) return stackOf(tab);
  const count = isSplit(layout) && layout.direction === 'row' ? layout.parts.length + 1 : 2;
  const share = 1 / count;
  const parts = side === 'left' ? [stackOf(tab), layout] : [layout, stackOf(tab)];
  const shares = side === 'left' ? [share, 1 - share] : [1 - share, share];
  return normalize({ direction: 'row', parts, shares }) ?? layout;
}

/** The least share that a part may have. */
export const leastShare = 0.1;

/** Moves the divider behind the part at `index` of the split at `path`, by a share of the split. */
export function resize(layout: Layout, path: readonly number[], index: number, by: number): Layout {
  const [step, ...rest] = path;
  if (!isSplit(layout)) return layout;
  if (step !== undefined) {
    const parts = layout.parts.map((part, at) => (at === step ? resize(part, rest, index, by) : part));
    return { ...layout, parts };
  }
  const [before = 0, after = 0] = [layout.shares[index], layout.shares[index + 1]];
  const least = Math.min(leastShare, before, after);
  const moved = Math.min(Math.max(by, least - before), after - least);
  const shares = layout.shares.map((share, at) =>
    at === index ? share + moved : at === index + 1 ? share - moved : share,
  );
  return { ...layout, shares };
}

/** A rectangle in parts of the whole, from 0 to 1. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface Divider {
  readonly path: readonly number[];
  readonly index: number;
  readonly direction: Split['direction'];
  readonly area: Area;
  /** The part of the whole that the split takes in its direction. */
  readonly length: number;
  readonly share: number;
}
interface Places {
  readonly stacks: readonly { readonly stack: Stack; readonly area: Area }[];
  readonly dividers: readonly Divider[];
}

const whole: Area = { left: 0, top: 0, width: 1, height: 1 };

/** Where each stack and each divider is. */
export function placesOf(layout: Layout, area: Area = whole, path: readonly number[] = []): Places {
  if (!isSplit(layout)) return { stacks: [{ stack: layout, area }], dividers: [] };
  const isRow = layout.direction === 'row';
  let at = isRow ? area.left : area.top;
  const length = isRow ? area.width : area.height;
  const stacks: Places['stacks'][number][] = [];
  const dividers: Divider[] = [];
  for (const [index, part] of layout.parts.entries()) {
    const share = layout.shares[index] ?? 0;
    const size = length * share;
    const own = isRow ? { ...area, left: at, width: size } : { ...area, top: at, height: size };
    const inner = placesOf(part, own, [...path, index]);
    stacks.push(...inner.stacks);
    at += size;
    if (index < layout.parts.length - 1) {
      const edge = isRow ? { ...area, left: at, width: 0 } : { ...area, top: at, height: 0 };
      dividers.push({ path, index, direction: layout.direction, area: edge, length, share });
    }
    dividers.push(...inner.dividers);
  }
  return { stacks, dividers };
}

const StoredStack = z.object({ tabs: z.array(z.string()), active: z.string() });
const StoredLayout: z.ZodType<Layout> = z.lazy(() =>
  z.union([
    StoredStack,
    z.object({
      direction: z.enum(['row', 'column']),
      parts: z.array(StoredLayout),
      shares: z.array(z.number().min(0).max(1)),
    }),
  ]),
);

/** A stored layout with the panels that there are; also the list of names that earlier versions stored. */
export function readLayout(text: string | undefined, known: readonly string[]): Layout | undefined {
  if (text === undefined) return undefined;
  if (!text.startsWith('{')) return rowOf(text.split(',').filter((id) => known.includes(id)));
  try {
    const seen = new Set<string>();
    return normalize(keepKnown(StoredLayout.parse(JSON.parse(text)), known, seen)) ?? stackOf();
  } catch {
    // Written by something else.
    return undefined;
  }
}

function keepKnown(layout: Layout, known: readonly string[], seen: Set<string>): Layout {
  if (isSplit(layout)) return { ...layout, parts: layout.parts.map((part) => keepKnown(part, known, seen)) };
  const tabs = layout.tabs.filter((tab) => {
    const isKept = known.includes(tab) && !seen.has(tab);
    seen.add(tab);
    return isKept;
  });
  return { tabs, active: tabs.includes(layout.active) ? layout.active : (tabs[0] ?? '') };
}

function replaceStack(layout: Layout, tab: string, change: (stack: Stack) => Layout): Layout {
  if (!isSplit(layout)) return layout.tabs.includes(tab) ? change(layout) : layout;
  return { ...layout, parts: layout.parts.map((part) => replaceStack(part, tab, change)) };
}
const changeStack = (layout: Layout, tab: string, change: (stack: Stack) => Stack): Layout =>
  replaceStack(layout, tab, change);

function normalize(layout: Layout): Layout | undefined {
  if (!isSplit(layout)) return layout.tabs.length > 0 ? layout : undefined;
  const kept = layout.parts.flatMap((part, at) => {
    const inner = normalize(part);
    const share = layout.shares[at] ?? 1 / layout.parts.length;
    if (!inner) return [];
    return isSplit(inner) && inner.direction === layout.direction
      ? inner.parts.map((one, index) => ({ part: one, share: share * (inner.shares[index] ?? 0) }))
      : [{ part: inner, share }];
  });
  const total = kept.reduce((sum, { share }) => sum + share, 0);
  if (kept.length <= 1) return kept[0]?.part;
  return {
    direction: layout.direction,
    parts: kept.map(({ part }) => part),
    shares: kept.map(({ share }) => (total > 0 ? share / total : 1 / kept.length)),
  };
}
