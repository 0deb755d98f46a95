import { memo } from 'react';
import { wallClockOf } from '../../format/timeZone.ts';
import { AnsiText } from './AnsiText.tsx';
import styles from './LogView.module.css';
import type { LogLine } from './logLine.ts';

/** The texts and the time zone of a row, looked up once for all of them: a hook per row costs frames while scrolling. */
export interface RowWords {
  readonly open: string;
  readonly close: string;
  readonly onlyTask: string;
  readonly attempt: string;
  readonly timeZone: string;
}

interface LogRowProps {
  readonly words: RowWords;
  readonly line: LogLine;
  readonly index: number;
  readonly top: number;
  readonly search: string;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly showTask: boolean;
  readonly measure: ((element: Element | null) => void) | undefined;
  onToggle(number: number): void;
  onOnlyRun(taskRunId: string): void;
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, isOpen, search, showTask, words } = props;
  const { entry } = line;
  const source = entry.taskId ?? entry.triggerId;
  const { taskRunId } = entry;
  return (
    <div
      className={styles.row}
      ref={props.measure}
      data-index={props.index}
      data-level={entry.level}
      data-hit={search !== '' || undefined}
      data-current={props.isCurrent || undefined}
      data-open={isOpen || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a wider target for the pointer; the button inside is the real control. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same. */}
      <div className={styles.line} onClick={() => props.onToggle(line.number)}>
        <button
          type="button"
          className={styles.open}
          aria-expanded={isOpen}
          aria-label={isOpen ? words.close : words.open}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(line.number);
          }}
        />
        <span className={styles.level}>{entry.level}</span>
        <time className={styles.time} dateTime={entry.timestamp} title={entry.timestamp}>
          {clockOf(entry.timestamp, words.timeZone)}
        </time>
        {showTask && source !== undefined && (
          <button
            type="button"
            className={styles.task}
            disabled={taskRunId === undefined}
            title={words.onlyTask}
            onClick={(event) => {
              event.stopPropagation();
              if (taskRunId !== undefined) props.onOnlyRun(taskRunId);
            }}
          >
            {source}
          </button>
        )}
        <span className={styles.message}>
          <AnsiText message={firstLine(entry.message ?? '')} search={search} />
          {line.hasMore && <span className={styles.more}> ↵</span>}
        </span>
      </div>
      {isOpen && (
        <div className={styles.whole}>
          <p className={styles.facts}>
            {[
              entry.timestamp,
              source,
              entry.attemptNumber !== null && `${words.attempt} ${entry.attemptNumber + 1}`,
              entry.thread,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <pre>
            <AnsiText message={entry.message ?? ''} search={search} />
          </pre>
        </div>
      )}
    </div>
  );
});

/** More than a screen is wide; shaping the rest of a very long line would only cost time. */
const MOST_CHARACTERS = 600;

function firstLine(message: string): string {
  const end = message.indexOf('\n');
  return message.slice(0, Math.min(end < 0 ? message.length : end, MOST_CHARACTERS));
}

/** The time of day without Intl, which is too slow for a hundred rows per frame. */
const clockOf = (iso: string, timeZone: string): string => wallClockOf(Date.parse(iso), timeZone).slice(11);
