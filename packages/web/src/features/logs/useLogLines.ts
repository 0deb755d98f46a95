import { type LogEntry, type LogLevel, logs } from '@millrace/contract';
import { useEffect, useRef, useState } from 'react';
import { callInPieces } from '../../api/call.ts';
import { ApiError, urlOf } from '../../api/index.ts';
import { openStream } from '../../api/streams.ts';
import { type LogLine, readLine } from './logLine.ts';
import { mergeEntries } from './mergeEntries.ts';

const FLUSH_MS = 100;
/** Each time, all lines so far are put in their places: not for every piece of a long log. */
const REDRAW_MS = 300;

export interface LogSource {
  readonly executionId: string;
  readonly taskRunId?: string | undefined;
  readonly minLevel: LogLevel;
  readonly live: boolean;
}

export interface LoadedLog {
  readonly lines: readonly LogLine[];
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: string;
}

const LOADING: LoadedLog = { lines: [], status: 'loading' };

/**
 * The lines of an execution: listed once, then followed while it is live. The array grows in place and is copied when
 * it is drawn.
 */
export function useLogLines({ executionId, taskRunId, minLevel, live }: LogSource): LoadedLog {
  const [log, setLog] = useState(LOADING);
  const shown = useRef('');

  useEffect(() => {
    const source = `${executionId} ${taskRunId ?? ''} ${minLevel}`;
    // When only `live` changed the old lines stay until the new list is there: nothing blinks at the end of a run.
    if (shown.current !== source) setLog(LOADING);
    const controller = new AbortController();
    let close = () => {};
    const query = { minLevel, ...(taskRunId !== undefined && { taskRunId }) };
    const args = { params: { executionId }, query, signal: controller.signal, failures: 'handled' } as const;
    const entries: LogEntry[] = [];
    const lines: LogLine[] = [];
    const isNew = shown.current !== source;
    let drawnAt = Number.NEGATIVE_INFINITY;
    const draw = () => {
      drawnAt = performance.now();
      setLog({ lines: lines.slice(), status: 'ready' });
    };
    callInPieces(logs.listLogs, args, (piece) => {
      for (const entry of piece) {
        entries.push(entry);
        lines.push(readLine(entry, lines.length));
      }
      // The beginning of a long log is there to be read while the rest of it comes.
      if (isNew && performance.now() - drawnAt > REDRAW_MS) draw();
    })
      .then(() => {
        shown.current = source;
        draw();
        if (live) close = follow({ executionId, taskRunId, minLevel }, entries, lines, setLog);
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setLog({
          lines: [],
          status: 'failed',
          error: error instanceof ApiError ? error.message : String(error),
        });
      });
    return () => {
      controller.abort();
      close();
    };
  }, [executionId, taskRunId, minLevel, live]);

  return log;
}

function follow(
  source: Omit<LogSource, 'live'>,
  listed: readonly LogEntry[],
  known: readonly LogLine[],
  show: (log: LoadedLog) => void,
): () => void {
  const merged = mergeEntries(listed);
  const lines = [...known];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    show({ lines: lines.slice(), status: 'ready' });
  };
  const { executionId, minLevel, taskRunId } = source;
  const close = openStream(urlOf(logs.followLogs, { params: { executionId }, query: { minLevel } }), {
    onData: (data) => {
      const entry = JSON.parse(data) as LogEntry; // One entry per frame, as the list sends them.
      if (taskRunId !== undefined && entry.taskRunId !== taskRunId) return;
      if (!merged.add(entry)) return;
      lines.push(readLine(entry, lines.length));
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    onReopen: merged.restart,
  });
  return () => {
    clearTimeout(timer);
    close();
  };
}
