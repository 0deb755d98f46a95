import { memo, useMemo } from 'react';
import styles from './LogView.module.css';
import type { LogLine } from './logLine.ts';
import { placeMarks } from './scrollMarks.ts';

const SLOTS = 300;

/** Where on the scrollbar the hits and the errors are. */
export const ScrollMarks = memo(function ScrollMarks({
  lines,
  hits,
}: {
  lines: readonly LogLine[];
  hits: readonly number[];
}) {
  const errors = useMemo(
    () => lines.flatMap((line, index) => (line.entry.level === 'ERROR' ? [index] : [])),
    [lines],
  );
  return (
    <svg className={styles.marks} viewBox={`0 0 1 ${SLOTS}`} preserveAspectRatio="none" aria-hidden="true">
      {placeMarks(errors, lines.length, SLOTS).map((at) => (
        <rect key={`e${at}`} className={styles.errorMark} x="0.5" width="0.5" y={at * SLOTS} height="2" />
      ))}
      {placeMarks(hits, lines.length, SLOTS).map((at) => (
        <rect key={`h${at}`} className={styles.hitMark} x="0" width="0.5" y={at * SLOTS} height="2" />
      ))}
    </svg>
  );
});
