import { formatAgo, formatDateTime, useDateSettings } from '../../format/date.ts';
import { formatDuration } from '../../format/duration.ts';
import { type OpenTime, openMs } from '../../format/openTime.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../Hint.tsx';
import styles from './DateTime.module.css';
import { useNow } from './useNow.ts';

/** A moment in full, with how long ago it was on hover. */
export function DateTime({ value }: { value: string }) {
  const { i18n } = useTranslation();
  useDateSettings();
  return (
    <Hint label={() => formatAgo(value, Date.now(), i18n.language)}>
      <time className={styles.time} dateTime={value}>
        {formatDateTime(value, i18n.language)}
      </time>
    </Hint>
  );
}

/** How long ago a moment was, with the moment itself on hover. */
export function DateAgo({ value }: { value: string }) {
  const { i18n } = useTranslation();
  useDateSettings();
  const isRecent = Date.now() - new Date(value).getTime() < 3_600_000;
  const now = useNow(true, isRecent ? 1_000 : 60_000);
  return (
    <Hint label={() => formatDateTime(value, i18n.language)}>
      <time className={styles.time} dateTime={value}>
        {formatAgo(value, now, i18n.language)}
      </time>
    </Hint>
  );
}

/** The time between two moments. Without an end it ticks. */
export function Duration({ from, to }: { from: string; to?: string | undefined }) {
  const start = new Date(from).getTime();
  return (
    <TimeOpen
      time={to === undefined ? { endedMs: 0, sinceMs: start } : { endedMs: Date.parse(to) - start }}
    />
  );
}

/** The time that something was open. It ticks while it still is. */
export function TimeOpen({ time }: { time: OpenTime }) {
  useTranslation(); // Draws it again in another language.
  // Tenths of a second are shown during the first minute only, so later a slower tick is enough.
  const now = useNow(time.sinceMs !== undefined, openMs(time, Date.now()) < 60_000 ? 100 : 1_000);
  return <span className={styles.duration}>{formatDuration(openMs(time, now))}</span>;
}
