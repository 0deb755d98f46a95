import type { CSSProperties, ReactNode } from 'react';
import styles from './dashboard.module.css';

interface CardProps {
  title: string;
  description?: string | undefined;
  /** Beside the title: a link to everything. */
  action?: ReactNode;
  /** Of the twelve columns. */
  columns?: number;
  children: ReactNode;
}

export function Card({ title, description, action, columns = 12, children }: CardProps) {
  const width = { '--columns': columns } as CSSProperties; // React's type knows no custom properties.
  return (
    <section className={styles.card} style={width} data-small={columns <= 3 || undefined} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {action}
      </header>
      {description && <p className={styles.quiet}>{description}</p>}
      {children}
    </section>
  );
}
