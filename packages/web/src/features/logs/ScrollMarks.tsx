import { memo, useMemo } from 'react';
import styles from './LogView.module.css';
import { isHeading, type LogItem } from './logGroups.ts';
import { placeMarks } from './scrollMarks.ts';

const SLOTS = 300;

/** Where on the scrollbar the hits and the errors are. */
export const ScrollMarks = memo(function ScrollMarks({
  items,
  hits,
}: {
  items: readonly LogItem[];
  hits: readonly number[];
}) {
  const errors = useMemo(
    () => items.flatMap((item, index) => (!isHeading(item) && item.entry.level === 'ERROR' ? [index] : [])),
    [items],
  );
  return (
    <svg className={styles.marks} viewBox={`0 0 1 ${SLOTS}`} preserveAspectRatio="none" aria-hidden="true">
      {placeMarks(errors, items.length, SLOTS).map((at) => (
        <rect key={`e${at}`} className={styles.errorMark} x="0.5" width="0.5" y={at * SLOTS} height="2" />
      ))}
      {placeMarks(hits, items.length, SLOTS).map((at) => (
        <rect key={`h${at}`} className={styles.hitMark} x="0" width="0.5" y={at * SLOTS} height="2" />
      ))}
    </svg>
  );
});
