import { useTranslation } from 'react-i18next';
import { formatDuration } from '../format/duration.ts';
import styles from './Duration.module.css';
import { useNow } from './useNow.ts';

/** The time between two moments. Without an end it ticks. */
export function Duration({ from, to }: { from: string; to?: string | undefined }) {
  useTranslation(); // Draws it again in another language.
  const start = new Date(from).getTime();
  const isLive = to === undefined;
  // Tenths of a second are shown during the first minute only, so later a slower tick is enough.
  const now = useNow(isLive, Date.now() - start < 60_000 ? 100 : 1_000);
  const end = isLive ? now : new Date(to).getTime();
  return <span className={styles.duration}>{formatDuration(end - start)}</span>;
}
