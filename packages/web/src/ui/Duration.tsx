import { useTranslation } from 'react-i18next';
import { formatDuration } from '../format/duration.ts';
import { type OpenTime, openMs } from '../format/openTime.ts';
import styles from './Duration.module.css';
import { useNow } from './useNow.ts';

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
