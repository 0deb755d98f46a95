import type { Tick } from '../../format/durationScale.ts';
import styles from './Gantt.module.css';

/** From here on a time stands before its line, where there is room for it. */
const END = 0.93;
/** With more marks than this, a time before its line would run into the one before it. */
const FEW = 3;

/** The header with its round times. */
export function GanttAxis({ ticks, total }: { ticks: readonly Tick[]; total: string }) {
  return (
    <div className={styles.axis} role="presentation">
      <span className={styles.total} title={total}>
        {total}
      </span>
      <div className={styles.scale} aria-hidden="true">
        {ticks
          .filter(({ at }) => at <= END || ticks.length <= FEW)
          .map((tick) => (
            <span
              key={tick.ms}
              className={styles.tick}
              data-last={tick.at > END || undefined}
              style={{ left: `${tick.at * 100}%` }}
            >
              {tick.label}
            </span>
          ))}
      </div>
    </div>
  );
}

/** The lines that run down from the times, behind the rows. */
export function GanttLines({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <div className={styles.lines} aria-hidden="true">
      {ticks.map((tick) => (
        <i key={tick.ms} className={styles.line} style={{ left: `${tick.at * 100}%` }} />
      ))}
    </div>
  );
}
