import { type LogEntry, logs, type PackedLogs, unpackLogs } from '@millrace/contract';
import { useEffect, useRef, useState } from 'react';
import { ApiError, urlOf } from '../../api/index.ts';
import { type LogPart, nameOf, prefetchedLogOf, readLog, takePrefetchedLog } from '../../api/readLog.ts';
import { openStream } from '../../api/streams.ts';
import { afterPaint } from '../../ui/afterPaint.ts';
import { type LogLine, readLine } from './logLine.ts';

const FLUSH_MS = 100;
/** A flush costs as much as the log is long, so a long log that is followed is drawn less often. */
const LONGEST_FLUSH_MS = 400;
const flushDelay = (lines: number): number => Math.min(LONGEST_FLUSH_MS, FLUSH_MS + lines / 200);
/** Each time, all lines so far are put in their places: not for every piece of a long log. */
const REDRAW_MS = 300;

export interface LogSource extends LogPart {
  readonly live: boolean;
}

export interface LoadedLog {
  readonly lines: readonly LogLine[];
  readonly status: 'loading' | 'ready' | 'failed';
  /** The end of a long log is still to come. */
  readonly isPartial: boolean;
  readonly error?: string;
}

const LOADING: LoadedLog = { lines: [], status: 'loading', isPartial: true };

/**
 * The lines of an execution: listed once, then followed while it is live. What the page has read ahead is there at the
 * first drawing. The array grows in place and is copied when it is drawn.
 */
export function useLogLines({ executionId, taskRunId, minLevel, live }: LogSource): LoadedLog {
  const [log, setLog] = useState(() => {
    const lines = prefetchedLogOf({ executionId, taskRunId, minLevel })?.entries.map(readLine) ?? [];
    return lines.length > 0 ? { ...LOADING, lines, status: 'ready' as const } : LOADING;
  });
  const shown = useRef('');

  useEffect(() => {
    const part = { executionId, taskRunId, minLevel };
    const source = nameOf(part);
    const isNew = shown.current !== source;
    const ahead = takePrefetchedLog(part);
    const reading = ahead ?? readLog(part);
    const isDrawn = shown.current === '' && ahead !== undefined && ahead.entries.length > 0;
    // When only `live` changed the old lines stay until the new list is there: nothing blinks at the end of a run.
    if (isNew && !isDrawn) setLog(LOADING);
    let isOver = false;
    let close = () => {};
    let drawnAt = isDrawn ? performance.now() : Number.NEGATIVE_INFINITY;
    const lines: LogLine[] = [];
    const take = () => {
      for (let number = lines.length; number < reading.entries.length; number += 1)
        lines.push(readLine(reading.entries[number]!, number));
    };
    const draw = (isPartial: boolean) => {
      drawnAt = performance.now();
      take();
      setLog({ lines: lines.slice(), status: 'ready', isPartial });
    };
    const readRest = async () => {
      await reading.begun;
      if (isOver) return;
      // The beginning of a long log is there to be read while the rest of it comes.
      if (isNew && drawnAt < 0) draw(true);
      await afterPaint();
      if (isOver) return;
      await reading.readRest(() => {
        take();
        if (isNew && !isOver && performance.now() - drawnAt > REDRAW_MS) draw(true);
      });
      if (isOver) return;
      shown.current = source;
      draw(false);
      if (live) close = follow(part, reading.entries, lines, setLog);
    };
    readRest().catch((error: unknown) => {
      if (isOver) return;
      setLog({
        lines: [],
        status: 'failed',
        isPartial: false,
        error: error instanceof ApiError ? error.message : String(error),
      });
    });
    return () => {
      isOver = true;
      reading.stop();
      close();
    };
  }, [executionId, taskRunId, minLevel, live]);

  return log;
}

function follow(
  source: LogPart,
  listed: readonly LogEntry[],
  known: readonly LogLine[],
  show: (log: LoadedLog) => void,
): () => void {
  const merged = mergeEntries(listed);
  const lines = [...known];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    show({ lines: lines.slice(), status: 'ready', isPartial: false });
  };
  const { executionId, minLevel, taskRunId } = source;
  const close = openStream(
    urlOf(logs.followLogs, { params: { executionId }, query: { minLevel, packed: true } }),
    {
      onData: (data) => {
        const known = lines.length;
        // `as`: the server checks what it sends.
        for (const entry of unpackLogs(JSON.parse(data) as PackedLogs)) {
          if (taskRunId !== undefined && entry.taskRunId !== taskRunId) continue;
          if (merged.add(entry)) lines.push(readLine(entry, lines.length));
        }
        if (lines.length > known) timer ??= setTimeout(flush, flushDelay(lines.length));
      },
      onReopen: merged.restart,
    },
  );
  return () => {
    clearTimeout(timer);
    close();
  };
}

/**
 * Joins what was listed with what a stream brings. A stream begins with the stored entries all over again and
 * may send one twice around the switch to live ones, yet equal lines can also be genuine: so lines are
 * counted, and only the surplus is new.
 */
export function mergeEntries(known: readonly LogEntry[], start: Iterable<LogEntry> = known) {
  const entries = [...known];
  let expected = countLines(start);
  return {
    entries,
    /** Adds the entry if it is new; says whether it was. */
    add(entry: LogEntry): boolean {
      // Once all known lines have come, every other one is new: no key has to be made for it.
      if (expected.size > 0) {
        const key = keyOf(entry);
        const left = expected.get(key) ?? 0;
        if (left > 1) expected.set(key, left - 1);
        else expected.delete(key);
        if (left > 0) return false;
      }
      entries.push(entry);
      return true;
    },
    /** The stream begins again: everything seen so far will come once more. */
    restart(): void {
      expected = countLines(entries);
    },
  };
}

function countLines(entries: Iterable<LogEntry>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const keyOf = (entry: LogEntry): string =>
  `${entry.timestamp}|${entry.taskRunId ?? entry.triggerId ?? ''}|${entry.attemptNumber ?? ''}|${entry.level}|${entry.message ?? ''}`;
