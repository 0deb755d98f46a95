import type { ReactNode } from 'react';
import styles from './ListChart.module.css';

/** The frame of a chart above a list. */
export function ListChart({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
