import { type GanttRow, parentIndex } from './rows.ts';

export type TreeMove = { readonly kind: 'go' | 'toggle' | 'select'; readonly index: number };

const PAGE = 10;

/** What a key does in the tree, after the usual pattern: arrows walk, left and right close and open. */
export function moveInTree(
  key: string,
  rows: readonly GanttRow[],
  index: number,
  collapsed: ReadonlySet<string>,
): TreeMove | undefined {
  const last = rows.length - 1;
  const row = rows[index];
  if (!row) return undefined;
  const go = (to: number): TreeMove => ({ kind: 'go', index: Math.min(Math.max(to, 0), last) });
  const isParent = row.childCount > 0;
  const isClosed = collapsed.has(row.run.id);
  switch (key) {
    case 'ArrowDown':
      return go(index + 1);
    case 'ArrowUp':
      return go(index - 1);
    case 'PageDown':
      return go(index + PAGE);
    case 'PageUp':
      return go(index - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'ArrowRight':
      if (!isParent) return undefined;
      return isClosed ? { kind: 'toggle', index } : go(index + 1);
    case 'ArrowLeft':
      if (isParent && !isClosed) return { kind: 'toggle', index };
      return parentIndex(rows, index) >= 0 ? go(parentIndex(rows, index)) : undefined;
    case 'Enter':
    case ' ':
      return { kind: 'select', index };
    default:
      return undefined;
  }
}
