import { VisuallyHidden } from '@mantine/core';
import type { ColumnMeta } from './column.ts';
import { ariaSort, SortHeader } from './SortHeader.tsx';

interface HeaderCellProps {
  name: string;
  meta: ColumnMeta | undefined;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

export function HeaderCell({ name, meta = {}, sort, onSort }: HeaderCellProps) {
  const { width, align, hideBelow, sortField, hidesHeader } = meta;
  return (
    <th style={{ width }} data-align={align} data-hide={hideBelow} aria-sort={ariaSort(sortField, sort)}>
      {sortField && onSort ? (
        <SortHeader label={name} field={sortField} sort={sort} onSort={onSort} />
      ) : hidesHeader ? (
        <VisuallyHidden>{name}</VisuallyHidden>
      ) : (
        name
      )}
    </th>
  );
}
