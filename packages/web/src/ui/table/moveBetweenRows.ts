import type { KeyboardEvent } from 'react';

interface SelectionKeys {
  selectAll?: () => void;
  /** Takes a row in that the focus reached with Shift held. */
  extend?: (id: string) => void;
  clear?: () => void;
}

/**
 * Arrow keys walk through the rows; one row is in the tab order at a time. With Shift they select what they pass,
 * Ctrl+A selects the page and Escape nothing.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>, keys: SelectionKeys): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-row]');
  if (!row) return;
  const isOnRow = event.target === row;
  if (isOnRow && event.key === 'a' && (event.ctrlKey || event.metaKey) && keys.selectAll) {
    event.preventDefault();
    keys.selectAll();
    return;
  }
  if (isOnRow && event.key === 'Escape') keys.clear?.();
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(isOnRow || (event.target as HTMLElement).matches('a, button'))) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-row]')];
  const next = rows[rows.indexOf(row) + step];
  if (!next) return;
  event.preventDefault();
  row.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  if (!event.shiftKey || !keys.extend) return;
  for (const one of [row, next]) keys.extend(one.dataset.row ?? '');
}
