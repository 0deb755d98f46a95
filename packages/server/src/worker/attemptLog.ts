import { type LogLevel, type LogRecord, logLevels } from '@millrace/contract';
import { messageOf } from '@millrace/plugin-kit';
import type { LogBuffer } from '../logs/logBuffer.ts';
import { CappedLog, type LogLimits } from './cappedLog.ts';
import { type LogEntry, LogFile, type LogFileParts } from './logFile.ts';
import { splitMessage } from './splitMessage.ts';
import type { Attempt, StartedAttempt } from './worker.ts';

export type Log = (level: LogLevel, message: string) => void | Promise<void>;

interface RowParts {
  readonly logs: LogBuffer;
  readonly clock: () => number;
}

export interface AttemptLogParts extends RowParts, LogFileParts {
  /** How much of the log of one attempt is stored as lines. */
  readonly logLimits: LogLimits;
}

/** Log lines of this attempt: at or above the task's own level, long ones in pieces. */
export function attemptLog(attempt: Attempt, started: StartedAttempt, parts: RowParts): Log {
  return leveled(attempt, parts.clock, rowWriter(attempt, started, parts.logs));
}

/** The log of an attempt, in rows or in a file as its task defines. */
export function openAttemptLog(attempt: Attempt, started: StartedAttempt, parts: AttemptLogParts) {
  const write = rowWriter(attempt, started, parts.logs);
  const openFile = () => new LogFile(attempt, started, parts);
  const sink = attempt.task.logToFile === true ? openFile() : new CappedLog(write, openFile, parts.logLimits);
  return {
    log: leveled(attempt, parts.clock, (entry) => sink.add(entry)),
    /** The URI of the file, if there is one; usually there is none, and nothing to wait for. */
    close: () =>
      sink instanceof CappedLog && sink.isWhole ? undefined : closeFile(sink, write, parts.clock),
  };
}

/** A file that cannot be kept is no reason to fail. */
async function closeFile(
  sink: CappedLog | LogFile,
  write: ReturnType<typeof rowWriter>,
  clock: () => number,
): Promise<string | undefined> {
  try {
    return await sink.close();
  } catch (error) {
    await write({
      at: clock(),
      level: 'ERROR',
      message: `The log file of this attempt is lost: ${messageOf(error)}`,
    });
    return undefined;
  }
}

function rowWriter(attempt: Attempt, { execution }: StartedAttempt, logs: LogBuffer) {
  return ({ at, level, message }: LogEntry): void | Promise<void> => {
    const pieces = splitMessage(message).map((piece) => {
      const log: LogRecord = {
        tenantId: execution.tenantId,
        namespace: execution.namespace,
        flowId: execution.flowId,
        executionId: execution.id,
        taskId: attempt.task.id,
        taskRunId: attempt.taskRunId,
        attemptNumber: attempt.attempt,
        at,
        level,
        message: piece,
      };
      return logs.addLog(execution.id, log);
    });
    return pieces.at(-1);
  };
}

/** Widened, so that whatever an author wrote can be looked up. */
const levels: readonly unknown[] = logLevels;

/** Only lines at or above the task's own level. */
function leveled(
  { task }: Attempt,
  clock: () => number,
  write: (entry: LogEntry) => void | Promise<void>,
): Log {
  const lowest = levels.indexOf(task.logLevel);
  return (level, message) => {
    if (logLevels.indexOf(level) >= lowest) return write({ at: clock(), level, message });
  };
}
