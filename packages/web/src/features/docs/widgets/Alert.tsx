import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './widgets.module.css';

/** A remark that must not be overlooked. */
export function Alert({ kind = 'info', children }: { kind?: string | undefined; children: ReactNode }) {
  const Icon = kind === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div
      className={styles.alert}
      data-kind={kind === 'info' ? 'info' : kind === 'danger' ? 'danger' : 'warning'}
    >
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
