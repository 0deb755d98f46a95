import { IconAlertTriangle } from '@tabler/icons-react';
import { Hint } from '../Hint.tsx';
import styles from './WarningIcon.module.css';

/** Something is not as it should be; the words say what. */
export function WarningIcon({ label }: { label: string }) {
  return (
    <Hint label={label} multiline maw={260}>
      <span className={styles.mark} role="img" aria-label={label}>
        <IconAlertTriangle size={17} stroke={1.7} />
      </span>
    </Hint>
  );
}
