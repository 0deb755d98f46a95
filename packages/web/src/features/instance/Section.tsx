import type { ReactNode } from 'react';
import styles from './instance.module.css';

/** A titled part of a tab, with an action beside its title. */
export function Section({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <header className={styles.header}>
        <div>
          <h2>{title}</h2>
          {text !== undefined && <p>{text}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
