import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { Illustration, type IllustrationName } from './Illustration.tsx';

interface EmptyStateProps {
  illustration: IllustrationName;
  title: string;
  text?: string | undefined;
  /** The exact words of an error, to read and to copy. */
  detail?: string | undefined;
  action?: ReactNode;
}

export function EmptyState({ illustration, title, text, detail, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Illustration name={illustration} />
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {detail && <pre className={styles.detail}>{detail}</pre>}
      {action}
    </div>
  );
}
