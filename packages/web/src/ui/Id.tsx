import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from './Hint.tsx';
import styles from './Id.module.css';
import { RowButton } from './RowButton.tsx';
import { useCopy } from './useCopy.ts';

interface IdProps {
  value: string;
  /** Shows the first eight characters; hover shows all. */
  short?: boolean;
  /** The id as a link, given its text. */
  children?: (shown: string) => ReactNode;
}

/** An identifier in monospace with a button that copies it. */
export function Id({ value, short = false, children }: IdProps) {
  const shown = short ? value.slice(0, 8) : value;
  return (
    <span className={styles.id}>
      <Hint label={value} disabled={!short}>
        <span className={styles.text}>{children ? children(shown) : shown}</span>
      </Hint>
      <CopyButton value={value} />
    </span>
  );
}

export function CopyButton({ value }: { value: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  return (
    <RowButton
      className={styles.copy}
      size={20}
      data-copied={copied || undefined}
      onClick={(event) => {
        event.stopPropagation();
        void copy(value);
      }}
      aria-label={t(copied ? 'copied' : 'copy')}
    >
      {copied ? <IconCheck size={13} /> : <IconCopy size={13} stroke={1.7} />}
    </RowButton>
  );
}
