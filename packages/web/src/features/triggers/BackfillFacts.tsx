import type { Backfill } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './triggers.module.css';

/** `12 of 31 dates`. */
export function datesInWords({ progress }: Backfill, t: TFunction): string | undefined {
  if (!progress) return undefined;
  const numbers = { done: formatNumber(progress.done), total: formatNumber(progress.total) };
  return t(progress.isEstimate ? 'backfill.progressAbout' : 'backfill.progress', numbers);
}

/** Such as `12/31 · 19 m`. */
export function progressInShort({ progress, paused }: Backfill, t: TFunction): string {
  if (!progress) return '';
  const { done, total, remainingMs } = progress;
  const count = `${formatNumber(done)}/${formatNumber(total)}`;
  if (remainingMs === undefined) return count;
  return `${count} · ${paused ? t('state.PAUSED') : formatDuration(remainingMs)}`;
}

/** The remaining time; of a backfill that stands still, the time after it continues. */
export function remainingInWords({ progress, paused }: Backfill, isDisabled: boolean, t: TFunction): string {
  if (progress?.remainingMs === undefined) return t('backfill.measuring');
  const duration = formatDuration(progress.remainingMs);
  return t(paused || isDisabled ? 'backfill.leftLater' : 'backfill.left', { duration });
}

/** Dates, executions, pace and remaining time of a backfill. */
export function BackfillFacts({ backfill, isDisabled }: { backfill: Backfill; isDisabled: boolean }) {
  const { t } = useTranslation();
  const { progress } = backfill;
  if (!progress) return null;
  return (
    <ul className={styles.facts}>
      <li>{datesInWords(backfill, t)}</li>
      <li>{t('backfill.executions', { count: progress.executions })}</li>
      {progress.msPerDate !== undefined && (
        <li>{t('backfill.pace', { duration: formatDuration(progress.msPerDate) })}</li>
      )}
      <li>{remainingInWords(backfill, isDisabled, t)}</li>
    </ul>
  );
}
