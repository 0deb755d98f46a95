import type { ReactNode } from 'react';
import { CardProblem } from '../../ui/CardProblem.tsx';
import styles from './ListChart.module.css';

interface ListChartProps {
  /** What the bars come from: without an answer, a failure stands in their place. */
  query: { data: unknown; error: Error | null; refetch: () => unknown };
  /** False where the chart is inside a card already. */
  isFramed?: boolean;
  children: ReactNode;
}

/** The frame of a chart above a list. */
export function ListChart({ query: { data, error, refetch }, isFramed = true, children }: ListChartProps) {
  const content = (
    <>
      {(!error || data !== undefined) && children}
      {error && <CardProblem message={error.message} onRetry={() => void refetch()} />}
    </>
  );
  return isFramed ? <div className={styles.card}>{content}</div> : content;
}
