import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import styles from './DataTable.module.css';

interface SortHeaderProps {
  label: string;
  field: string;
  /** The list's present order, such as `id:asc`. */
  sort: string | undefined;
  onSort: (sort: string) => void;
}

/** A column's name that sorts by it; a second press turns the order round. */
export function SortHeader({ label, field, sort, onSort }: SortHeaderProps) {
  const [sortedField, direction] = sort?.split(':') ?? [];
  const isSorted = sortedField === field;
  const Arrow = !isSorted ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={styles.sort}
      data-sorted={isSorted || undefined}
      onClick={() => onSort(`${field}:${isSorted && direction === 'asc' ? 'desc' : 'asc'}`)}
    >
      {label}
      <Arrow size={13} stroke={1.8} aria-hidden="true" />
    </button>
  );
}

export function ariaSort(field: string | undefined, sort: string | undefined) {
  const [sortedField, direction] = sort?.split(':') ?? [];
  if (!field || sortedField !== field) return undefined;
  return direction === 'asc' ? 'ascending' : 'descending';
}
