import { messageOf, type PluginCatalogue, runTask, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { isDiskFull } from '../diskFull.ts';
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
import type { Attempt, AttemptEnd, RunAttempt, StartedAttempt } from './worker.ts';

export interface AttemptParts extends AttemptLogParts {
  readonly catalogue: PluginCatalogue;
  readonly contexts: TaskContexts;
  readonly files: InternalStorage;
}

/** Runs one attempt to its end. It never throws: every error ends the attempt. */
export function createRunAttempt(parts: AttemptParts): RunAttempt {
  return async (attempt, started, interruption) => {
    const { log, close } = openAttemptLog(attempt, started, parts);
    const end = await runOnce(attempt, started, interruption, log, parts);
    const closing = close();
    const logFile = closing && (await closing);
    return logFile === undefined ? end : { ...end, logFile };
  };
}

async function runOnce(
  attempt: Attempt,
  started: StartedAttempt,
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
  const { context, children, close } = parts.contexts.open(attempt, started, interruption, log);
  let stopTimer = () => {};
  try {
    if (attempt.task.timeout !== undefined) stopTimer = await startTimer(attempt, context, interruption, log);
    const cache = outputCacheOf(attempt, started, parts);
    const work = containErrors(definition.type, () => runTask(definition, attempt.task, context, cache));
    const { state, outputs } = await stoppable(work, interruption);
    const end = endWith(state, outputs);
    if (holdsSecret(end, context)) await context.log('WARN', secretInOutputs);
    return withChildren(end, children);
  } catch (error) {
    // The error may contain a secret, so it goes through the log, which masks secrets.
    const end = await failed(error, interruption, (level, message) => context.log(level, message));
    const explained = end.state === 'FAILED' ? { ...end, error: explain(error, interruption, context) } : end;
    return withChildren(explained, children);
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

const withChildren = (end: AttemptEnd, dynamic: AttemptEnd['dynamic'] & object): AttemptEnd =>
  dynamic.length === 0 ? end : { ...end, dynamic };

/** Outputs are values that later tasks need as they are, so they are not covered; their author should know. */
const secretInOutputs =
  'The outputs of this task hold a secret, and every user who can see the execution can see them. Read the secret where it is used, or return it from a script as one of its `encryptedOutputs`.';

function holdsSecret({ outputs }: AttemptEnd, { masker }: TaskContext): boolean {
  if (!outputs || masker.longest === 0) return false;
  const text = JSON.stringify(outputs);
  return masker.mask(text) !== text;
}

async function failed(error: unknown, { reason }: Interruption, log: Log): Promise<AttemptEnd> {
  if (reason === 'kill' || reason === 'shutdown') return { state: 'KILLED' };
  // The timer has already logged a timeout.
  if (reason === undefined) {
    await log('ERROR', describe(error));
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

/** A task that fails by itself has described its error; one of the file system is for experts. */
const describe = (error: unknown): string =>
  !(error instanceof TaskFailed) && isDiskFull(error)
    ? `There is no space left on the disk: ${messageOf(error)}`
    : messageOf(error);

/** The record of events keeps the beginning of a message; the log has all of it. */
const longestError = 500;

function explain(error: unknown, { reason }: Interruption, { masker }: TaskContext): string {
  if (reason === 'timeout') return 'The task did not end within its timeout.';
  const text = masker.mask(describe(error));
  return text.length > longestError ? `${text.slice(0, longestError)}…` : text;
}

/** Interrupts the attempt after its `timeout`. Returns a function that cancels the timer. */
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
