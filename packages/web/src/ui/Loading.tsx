import { Loader } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import styles from './Loading.module.css';

/** Fills its place while a part loads. It stays invisible at first: most parts arrive sooner than an eye notices. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      <Loader size="sm" color="var(--mr-brand)" />
    </div>
  );
}

/** Holds the place of something that is on its way. */
export const Skeleton = (style: CSSProperties) => <span className={styles.skeleton} style={style} />;

interface SkeletonListProps {
  rows: number;
  rowHeight: number;
}

/** The rows of a list before they arrive. */
export function SkeletonList({ rows, rowHeight }: SkeletonListProps) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike.
        <div key={index} className={styles.row} style={{ height: rowHeight }}>
          <Skeleton width={56} />
          <Skeleton width={`${30 + ((index * 17) % 35)}%`} />
          <Skeleton width={48} marginInlineStart="auto" />
        </div>
      ))}
    </div>
  );
}
