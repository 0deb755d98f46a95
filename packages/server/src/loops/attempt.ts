import type { LogLevel, LogRecord } from '@millrace/contract';
import { logLevels } from '@millrace/contract';
import { messageOf, type PluginCatalogue, runTask, TaskFailed } from '@millrace/plugins';
import { toJsonValue } from './jsonValue.ts';
import type { LogBuffer } from './logBuffer.ts';
import { splitMessage } from './splitMessage.ts';
import type { TaskContexts } from './taskContext.ts';
import { readTimeout } from './timeout.ts';
import type { Attempt, AttemptEnd, Begun, Interruption, RunAttempt } from './worker.ts';

/** How long a task may take to stop after it was told to; then it is left behind. */
const abandonAfterMs = 10_000;

export interface AttemptParts {
  readonly catalogue: PluginCatalogue;
  readonly contexts: TaskContexts;
  readonly logs: LogBuffer;
  readonly clock: () => number;
}

/** Runs one attempt to its end. It never throws: whatever goes wrong is the end of the attempt. */
export function createRunAttempt(parts: AttemptParts): RunAttempt {
  return async (attempt, begun, controller) => {
    const log = attemptLog(attempt, begun, parts);
    const entry = parts.catalogue.find(attempt.task.type);
    if (entry?.definition.kind !== 'task' || entry.definition.role !== 'task') {
      await log('ERROR', `There is no task type "${attempt.task.type}" that a worker can run.`);
      return { state: 'FAILED' };
    }
    const { definition } = entry;
    const { context, close } = parts.contexts.open(attempt, begun, controller.signal, log);
    const stopTimer = await startTimer(attempt, context, controller, log).catch(async (error: unknown) => {
      await log('ERROR', messageOf(error));
      return undefined;
    });
    if (!stopTimer) return { state: 'FAILED' };
    try {
      const { state, outputs } = await abortable(
        runTask(definition, attempt.task, context),
        controller.signal,
      );
      return { state, ...withOutputs(outputs) };
    } catch (error) {
      return await failed(error, controller.signal, log);
    } finally {
      stopTimer();
      await close();
    }
  };
}

/** Widened, so that whatever an author wrote can be looked up. */
const levels: readonly unknown[] = logLevels;

type Log = (level: LogLevel, message: string) => void | Promise<void>;

function withOutputs(outputs: Readonly<Record<string, unknown>> | undefined): Pick<AttemptEnd, 'outputs'> {
  if (!outputs || Object.keys(outputs).length === 0) return {};
  // A map at the top stays a map.
  return { outputs: toJsonValue(outputs) as Record<string, unknown> };
}

async function failed(error: unknown, signal: AbortSignal, log: Log): Promise<AttemptEnd> {
  if (signal.aborted && signal.reason !== 'timeout') return { state: 'KILLED' };
  // The timer has told the log already.
  if (!signal.aborted) {
    await log('ERROR', messageOf(error));
    if (error instanceof Error && error.stack !== undefined) await log('TRACE', error.stack);
  }
  if (!(error instanceof TaskFailed) || !error.outputs) return { state: 'FAILED' };
  try {
    return { state: 'FAILED', ...withOutputs(error.outputs) };
  } catch {
    return { state: 'FAILED' };
  }
}

/** Interrupts the attempt when its own `timeout` is over. Answers how to call that off. */
async function startTimer(
  attempt: Attempt,
  context: Parameters<typeof readTimeout>[1],
  controller: AbortController,
  log: Log,
): Promise<() => void> {
  if (attempt.task.timeout === undefined) return () => {};
  const timeout = await readTimeout(attempt.task.timeout, context);
  const timer = setTimeout(() => {
    void log('ERROR', `Timeout: the task did not end within ${timeout.text}.`);
    controller.abort('timeout' satisfies Interruption);
  }, timeout.ms);
  return () => clearTimeout(timer);
}

/** The work's own end, or a rejection some time after it was told to stop and did not. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => reject(new Error('The task did not stop.')), abandonAfterMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  });
}

/** Log lines of this attempt: at or above the task's own level, long ones in pieces. */
function attemptLog(attempt: Attempt, { execution }: Begun, { logs, clock }: AttemptParts): Log {
  const lowest = levels.indexOf(attempt.task.logLevel);
  return (level, message) => {
    if (logLevels.indexOf(level) < lowest) return;
    const base: Omit<LogRecord, 'message'> = {
      tenantId: execution.tenantId,
      namespace: execution.namespace,
      flowId: execution.flowId,
      executionId: execution.id,
      taskId: attempt.task.id,
      taskRunId: attempt.taskRunId,
      attemptNumber: attempt.attempt,
      at: clock(),
      level,
    };
    const pieces = splitMessage(message).map((piece) =>
      logs.addLog(execution.id, { ...base, message: piece }),
    );
    return pieces.at(-1);
  };
}
