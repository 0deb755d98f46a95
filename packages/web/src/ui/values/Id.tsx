import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { reportProblem } from '../../state/problems.ts';
import { Hint } from '../Hint.tsx';
import { RowButton } from '../menu/RowButton.tsx';
import styles from './Id.module.css';

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

/** Marks a task run that a replay took over from the original execution. */
export function CopiedIcon() {
  const { t } = useTranslation();
  return (
    <Hint label={t('taskRun.copiedHint')} multiline maw={320}>
      <span className={styles.mark}>{t('taskRun.copied')}</span>
    </Hint>
  );
}

/** Marks a task run whose outputs a user set in a fork. */
export function EditedIcon() {
  const { t } = useTranslation();
  return (
    <Hint label={t('fork.editedHint')} multiline maw={320}>
      <span className={styles.mark}>{t('fork.edited')}</span>
    </Hint>
  );
}

/** Marks an execution that ran a part of a flow from the editor. */
export function PlaygroundIcon() {
  const { t } = useTranslation();
  return (
    <Hint label={t('playground.markHint')} multiline maw={320}>
      <span className={styles.mark}>{t('playground.title')}</span>
    </Hint>
  );
}

const confirmationMs = 2_000;

/** Copies text; `copied` is true for two seconds after. What cannot be copied is said. */
export function useCopy() {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (value: string) => {
    try {
      // Over plain HTTP a browser has no clipboard at all.
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch (error) {
      reportProblem(error, t('copyFailed'));
    }
  };
  return { copied, copy };
}
