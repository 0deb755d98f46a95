import { messageOf, type PluginCatalogue, runTask, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { InternalStorage } from '../files/internalStorage.ts';
import { type AttemptLogParts, type Log, openAttemptLog } from './attemptLog.ts';
import { containErrors } from './containErrors.ts';
import type { Interruption } from './interruption.ts';
import { toJsonValue } from './jsonValue.ts';
import { outputCacheOf } from './outputCache.ts';
import { stackOf } from './stackOf.ts';
import { stoppable } from './stoppable.ts';
import type { TaskContexts } from './taskContext.ts';
import { readTimeout } from './timeout.ts';
import type { Attempt, AttemptEnd, Begun, RunAttempt } from './worker.ts';

export interface AttemptParts extends AttemptLogParts {
  readonly catalogue: PluginCatalogue;
  readonly contexts: TaskContexts;
  readonly files: InternalStorage;
}

/** Runs one attempt to its end. It never throws: whatever goes wrong is the end of the attempt. */
export function createRunAttempt(parts: AttemptParts): RunAttempt {
  return async (attempt, begun, interruption) => {
    const { log, close } = openAttemptLog(attempt, begun, parts);
    const end = await runOnce(attempt, begun, interruption, log, parts);
    const closing = close();
    const logFile = closing && (await closing);
    return logFile === undefined ? end : { ...end, logFile };
  };
}

async function runOnce(
  attempt: Attempt,
  begun: Begun,
  interruption: Interruption,
  log: Log,
  parts: AttemptParts,
): Promise<AttemptEnd> {
  const entry = parts.catalogue.find(attempt.task.type);
  if (entry?.definition.kind !== 'task' || entry.definition.role !== 'task') {
    await log('ERROR', `There is no task type "${attempt.task.type}" that a worker can run.`);
    return { state: 'FAILED' };
  }
  const { definition } = entry;
  const { context, close } = parts.contexts.open(attempt, begun, interruption, log);
  let stopTimer = () => {};
  try {
    if (attempt.task.timeout !== undefined) stopTimer = await startTimer(attempt, context, interruption, log);
    const cache = outputCacheOf(attempt, begun, parts);
    const work = containErrors(definition.type, () => runTask(definition, attempt.task, context, cache));
    const { state, outputs } = await stoppable(work, interruption);
    const end = endWith(state, outputs);
    if (holdsSecret(end, context)) await context.log('WARN', secretInOutputs);
    return end;
  } catch (error) {
    // What was thrown may quote a secret, so it goes through the log that covers them.
    return await failed(error, interruption, (level, message) => context.log(level, message));
  } finally {
    stopTimer();
    close();
  }
}

/** Both forms are written out: adding a name to a literal by a spread costs more than the rest of it. */
function endWith(
  state: AttemptEnd['state'],
  outputs: Readonly<Record<string, unknown>> | undefined,
): AttemptEnd {
  if (!outputs || Object.keys(outputs).length === 0) return { state };
  // A map at the top stays a map.
  return { state, outputs: toJsonValue(outputs) as Record<string, unknown> };
}

/** Outputs are values that later tasks need as they are, so they are not covered; their author should know. */
const secretInOutputs =
  'The outputs of this task hold a secret, and whoever can see the execution can see them. Read the secret where it is used, or return it from a script as one of its `encryptedOutputs`.';

function holdsSecret({ outputs }: AttemptEnd, { masker }: TaskContext): boolean {
  if (!outputs || masker.longest === 0) return false;
  const text = JSON.stringify(outputs);
  return masker.mask(text) !== text;
}

async function failed(error: unknown, { reason }: Interruption, log: Log): Promise<AttemptEnd> {
  if (reason === 'kill' || reason === 'shutdown') return { state: 'KILLED' };
  // Of a timeout the timer has told the log already.
  if (reason === undefined) {
    await log('ERROR', messageOf(error));
    const stack = error instanceof Error ? stackOf(error) : undefined;
    if (stack !== undefined) await log('TRACE', stack);
  }
  if (!(error instanceof TaskFailed) || !error.outputs) return { state: 'FAILED' };
  try {
    return endWith('FAILED', error.outputs);
  } catch {
    return { state: 'FAILED' };
  }
}

/** Interrupts the attempt when its own `timeout` is over. Answers how to call that off. */
async function startTimer(
  attempt: Attempt,
  context: Parameters<typeof readTimeout>[1],
  interruption: Interruption,
  log: Log,
): Promise<() => void> {
  const timeout = await readTimeout(attempt.task.timeout, context);
  const timer = setTimeout(() => {
    void log('ERROR', `Timeout: the task did not end within ${timeout.text}.`);
    interruption.interrupt('timeout');
  }, timeout.ms);
  return () => clearTimeout(timer);
}
