import type { Tick } from '../../format/durationScale.ts';
import styles from './Gantt.module.css';

/** The header with its round times. */
export function GanttAxis({ ticks, total }: { ticks: readonly Tick[]; total: string }) {
  return (
    <div className={styles.axis} role="presentation">
      <span className={styles.total}>{total}</span>
      <div className={styles.scale} aria-hidden="true">
        {ticks.map((tick) => (
          <span
            key={tick.ms}
            className={styles.tick}
            data-last={tick.at > 0.93 || undefined}
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
