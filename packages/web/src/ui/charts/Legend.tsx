import { useState } from 'react';
import styles from './Legend.module.css';

export interface LegendEntry {
  key: string;
  label: string;
  colour: string;
  /** What the series comes to; left out where a total says nothing. */
  value?: string | undefined;
}

interface LegendProps {
  entries: readonly LegendEntry[];
  hidden: ReadonlySet<string>;
  onToggle: (key: string) => void;
}

/** What the colours of a chart mean. Pressing an entry takes its series out of the picture, and back. */
export function Legend({ entries, hidden, onToggle }: LegendProps) {
  return (
    <figcaption className={styles.legend}>
      {entries.map(({ key, label, colour, value }) => (
        <button
          key={key}
          type="button"
          className={styles.entry}
          aria-pressed={!hidden.has(key)}
          onClick={() => onToggle(key)}
        >
          <span className={styles.dot} style={{ background: colour }} />
          <span className={styles.name} title={label}>
            {label}
          </span>
          {value !== undefined && <strong>{value}</strong>}
        </button>
      ))}
    </figcaption>
  );
}

/** Which series are out of the picture. */
export function useHiddenSeries(): { hidden: ReadonlySet<string>; toggle: (key: string) => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setHidden((old) => new Set(old.has(key) ? [...old].filter((one) => one !== key) : [...old, key]));
  return { hidden, toggle };
}
