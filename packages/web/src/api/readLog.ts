import { type LogEntry, type LogLevel, logs } from '@millrace/contract';
import { callInPieces } from './call.ts';

export interface LogPart {
  readonly executionId: string;
  readonly taskRunId?: string | undefined;
  readonly minLevel: LogLevel;
}

/** A log on its way. It comes to its first entries by itself and waits there, so that they are drawn before the others. */
export interface LogReading {
  /** Grows while the log is read. */
  readonly entries: readonly LogEntry[];
  /** Settles with the first entries, or when there are none. */
  readonly begun: Promise<unknown>;
  /** Reads on to the end. */
  readRest(onEntries: () => void): Promise<void>;
  stop(): void;
}

/** As long as the page may be busy with new entries before it gets a chance to scroll. */
const sliceMs = 8;

export const nameOf = ({ executionId, taskRunId, minLevel }: LogPart): string =>
  `${executionId} ${taskRunId ?? ''} ${minLevel}`;

export function readLog({ executionId, taskRunId, minLevel }: LogPart): LogReading {
  const entries: LogEntry[] = [];
  const controller = new AbortController();
  let hasFirst = () => {};
  const first = new Promise<void>((resolve) => {
    hasFirst = resolve;
  });
  let goOn = () => {};
  const isWanted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let tell = () => {};
  let restedAt = 0;
  const done = callInPieces(
    logs.listLogs,
    {
      params: { executionId },
      query: { minLevel, ...(taskRunId !== undefined && { taskRunId }) },
      signal: controller.signal,
      failures: 'handled',
    },
    async (piece) => {
      for (const entry of piece) entries.push(entry);
      hasFirst();
      await isWanted;
      tell();
      if (performance.now() - restedAt < sliceMs) return;
      await new Promise((resolve) => setTimeout(resolve));
      restedAt = performance.now();
    },
  );
  const begun = Promise.race([first, done]);
  // The reader of the rest gets the failure.
  begun.catch(() => undefined);
  return {
    entries,
    begun,
    readRest: (onEntries) => {
      tell = onEntries;
      goOn();
      return done;
    },
    stop: () => {
      controller.abort();
      goOn();
    },
  };
}

let ahead: { readonly name: string; readonly reading: LogReading } | undefined;

/** Begins to read what a page is about to show. Ends when the page has something to show. */
export function prefetchLog(part: LogPart, signal: AbortSignal): Promise<unknown> {
  ahead?.reading.stop();
  const begun = { name: nameOf(part), reading: readLog(part) };
  ahead = begun;
  signal.addEventListener('abort', () => {
    if (ahead !== begun) return;
    ahead = undefined;
    begun.reading.stop();
  });
  return begun.reading.begun;
}

/** The data that was read ahead of this part, if any. */
export const prefetchedLogOf = (part: LogPart): LogReading | undefined =>
  ahead?.name === nameOf(part) ? ahead.reading : undefined;

/** The same, for the reader of the rest, which owns it from then on. */
export function takePrefetchedLog(part: LogPart): LogReading | undefined {
  const reading = prefetchedLogOf(part);
  if (reading) ahead = undefined;
  return reading;
}
