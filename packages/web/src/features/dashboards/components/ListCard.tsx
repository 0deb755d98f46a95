import type { CSSProperties, ReactNode } from 'react';
import { CardProblem } from '../../../ui/CardProblem.tsx';
import { SkeletonList } from '../../../ui/Skeleton.tsx';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

interface ListCardProps {
  title: string;
  query: { data: unknown; error: Error | null; refetch: () => unknown };
  /** Beside the title: the way to everything. */
  action?: ReactNode;
  isEmpty: boolean;
  empty: string;
  /** So many rows of this height are kept free, so that nothing moves when they arrive. */
  rows: number;
  rowHeight: number;
  children: ReactNode;
}

/** A card with the first few of something. */
export function ListCard(props: ListCardProps) {
  const { title, query, action, isEmpty, empty, rows, rowHeight, children } = props;
  const height = { '--height': `${rows * rowHeight}px` } as CSSProperties; // React's type knows no custom properties.
  return (
    <Card title={title} action={action}>
      <div className={styles.body} style={height}>
        {query.error && !query.data && (
          <CardProblem message={query.error.message} onRetry={() => void query.refetch()} />
        )}
        {!query.data && !query.error && <SkeletonList rows={rows} rowHeight={rowHeight} />}
        {query.data !== undefined && isEmpty && <p className={styles.empty}>{empty}</p>}
        {query.data !== undefined && !isEmpty && children}
      </div>
    </Card>
  );
}
