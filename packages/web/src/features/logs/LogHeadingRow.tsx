import { IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './LogView.module.css';
import type { LogHeading } from './logGroups.ts';

interface LogHeadingRowProps {
  readonly heading: LogHeading;
  readonly index: number;
  readonly top: number;
  onToggle(id: string): void;
}

/** Names the group of the lines below it, and opens and closes them. */
export function LogHeadingRow({ heading, index, top, onToggle }: LogHeadingRowProps) {
  const { t } = useTranslation();
  const { group, count, isOpen } = heading;
  return (
    <button
      type="button"
      className={styles.heading}
      data-index={index}
      aria-expanded={count > 0 ? isOpen : undefined}
      disabled={count === 0}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onToggle(group.id)}
    >
      <IconChevronRight className={styles.chevron} size={14} aria-hidden />
      {group.heading}
      <span className={styles.headingCount}>{t('logs.lines', { count })}</span>
    </button>
  );
}
