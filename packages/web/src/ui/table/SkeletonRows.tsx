import { Skeleton } from '../Skeleton.tsx';
import type { ColumnMeta } from './column.ts';

interface SkeletonRowsProps {
  count: number;
  columns: readonly { id: string; hideBelow: ColumnMeta['hideBelow'] | undefined }[];
  /** Columns before the first, for selecting and unfolding. */
  leading: number;
}

/** Rows of the right size while the first ones are on their way. */
export function SkeletonRows({ count, columns, leading }: SkeletonRowsProps) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike.
    <tr key={index}>
      {leading > 0 && <td colSpan={leading} data-hide="sm" />}
      {columns.map(({ id, hideBelow }) => (
        <td key={id} data-hide={hideBelow}>
          <Skeleton width={`${45 + ((index * 7 + id.length * 13) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}
