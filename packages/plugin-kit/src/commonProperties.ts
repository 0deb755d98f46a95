import { logLevels, stateTypes } from '@millrace/contract';
import { z } from 'zod';
import {
  anything,
  choice,
  conditions,
  deprecated,
  duration,
  fixed,
  flag,
  integer,
  labels,
  mapOf,
  text,
} from './dynamic.ts';

const retryCommon = {
  maxAttempts: fixed(integer({ min: 1 }))
    .optional()
    .describe('How often to try in total, the first time included.'),
  maxAttempt: deprecated(fixed(integer({ min: 1 })).optional(), 'use `maxAttempts`.'),
  maxDuration: fixed(duration()).optional().describe('No try starts later than this after the first one.'),
  warningOnRetry: fixed(flag())
    .default(false)
    .describe('A task that needed more than one try ends in WARNING.'),
  behavior: fixed(choice(['RETRY_FAILED_TASK', 'CREATE_NEW_EXECUTION']))
    .default('RETRY_FAILED_TASK')
    .describe('Try the task again, or replay the whole execution as a new one.'),
};

/** The schemas of `retry` by its `type`; a flow and every task may have a retry. */
export const retrySchemas = {
  constant: z.object({
    interval: fixed(duration()).describe('The pause between two tries.'),
    ...retryCommon,
  }),
  exponential: z.object({
    interval: fixed(duration()).describe('The first pause.'),
    maxInterval: fixed(duration()).describe('The longest pause.'),
    delayFactor: fixed(z.number()).default(2).describe('Each pause is this many times the one before.'),
    ...retryCommon,
  }),
  random: z.object({
    minInterval: fixed(duration()).describe('The shortest pause.'),
    maxInterval: fixed(duration()).describe('The longest pause.'),
    ...retryCommon,
  }),
} as const;

const workerGroup = z.looseObject({ key: z.string(), fallback: z.string().optional() });
const workerSelector = z.looseObject({ tags: z.array(z.string()), fallback: z.string().optional() });

/** Properties of every task besides `id` and `type`. The engine reads them; task schemas omit them. */
export const commonTaskProperties = {
  description: text().optional().describe('What the task is for. Markdown.'),
  retry: z
    .looseObject({ type: z.string() })
    .meta({ $place: 'Retry' })
    .optional()
    .describe('When and how often to try again after a failure.'),
  timeout: duration().optional().describe('The task fails when it runs longer than this.'),
  disabled: fixed(flag()).default(false).describe('The task is left out of the flow.'),
  runIf: text().default('true').describe('The task is skipped unless this renders to a truthy value.'),
  allowFailure: fixed(flag())
    .default(false)
    .describe('A failure ends the task in WARNING and the flow continues.'),
  allowWarning: fixed(flag()).default(false).describe('A warning ends the task in SUCCESS.'),
  logLevel: fixed(choice(logLevels)).optional().describe('The lowest level of log lines that is kept.'),
  logToFile: fixed(flag())
    .default(false)
    .describe('Logs go to a file in internal storage instead of the log store.'),
  taskCache: fixed(z.looseObject({ enabled: z.boolean().optional(), ttl: z.string().optional() }))
    .optional()
    .describe('Keep the outputs and use them again in later executions.'),
  assets: fixed(z.looseObject({}))
    .optional()
    .describe('The data that the task reads and writes. Accepted for flows that have it; it has no effect.'),
  version: fixed(text()).optional().describe('The version of the plugin; there is one of each here.'),
  workerGroup: fixed(workerGroup)
    .optional()
    .describe(
      'Runs the task on workers that were started with this group: `key`, and a `fallback` (WAIT, FAIL or CANCEL) for the time when there is none.',
    ),
  workerSelector: fixed(workerSelector)
    .optional()
    .describe('Another form of `workerGroup`: `tags` lists the one group, and `fallback` means the same.'),
};

export const commonTriggerProperties = {
  description: text().optional().describe('What the trigger is for. Markdown.'),
  conditions: conditions()
    .optional()
    .describe('All of them must hold for the trigger to start an execution.'),
  when: text()
    .optional()
    .describe(
      'Must render to a truthy value for the trigger to start an execution. It reads what the expression of a condition reads: `trigger`, and after a flow also the `flow` and the `execution` that ended.',
    ),
  disabled: fixed(flag()).default(false).describe('The trigger does nothing.'),
  labels: labels().optional().describe('Labels of the executions it starts.'),
  inputs: mapOf(anything()).optional().describe('The inputs of the executions it starts; may use `trigger`.'),
  stopAfter: fixed(z.array(choice(stateTypes)))
    .optional()
    .describe('The trigger is disabled when an execution of its ends so.'),
  logLevel: fixed(choice(logLevels)).optional().describe('The lowest level of log lines that is kept.'),
  allowConcurrent: fixed(flag())
    .default(false)
    .describe('Start the next execution even while the last one runs.'),
  failOnTriggerError: fixed(flag())
    .default(false)
    .describe('A trigger that breaks starts an execution that has failed.'),
  minLogLevel: deprecated(fixed(choice(logLevels)).optional(), 'use `logLevel`.'),
  logToFile: fixed(flag())
    .default(false)
    .describe(
      'For polling and realtime triggers: writes the log lines of a poll or event to a file of the execution that it starts, available as `trigger.logFile`.',
    ),
  version: fixed(text()).optional().describe('The version of the plugin; there is one of each here.'),
  workerGroup: fixed(workerGroup)
    .optional()
    .describe('Only for tasks: triggers are evaluated by the scheduler.'),
  workerSelector: fixed(workerSelector)
    .optional()
    .describe('Another form of `workerGroup`: `tags` lists the one group.'),
};

/** Optional branches of a control task besides its own children. */
export const branches = {
  errors: fixed(z.array(z.looseObject({ type: z.string() }).meta({ $place: 'Task' })))
    .optional()
    .describe('Run, one after the other, when a child has failed.'),
  finally: fixed(z.array(z.looseObject({ type: z.string() }).meta({ $place: 'Task' })))
    .optional()
    .describe('Run at the end, whatever happened.'),
};

const taskNames: ReadonlySet<string> = new Set(['id', 'type', ...Object.keys(commonTaskProperties)]);
const triggerNames: ReadonlySet<string> = new Set(['id', 'type', ...Object.keys(commonTriggerProperties)]);

/**
 * The type's own properties of a task or trigger as it was written. A name that all of them have in common, such as
 * `description`, is also an own property when the type declares it.
 */
export function ownProperties(
  kind: 'task' | 'trigger',
  written: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const common = kind === 'task' ? taskNames : triggerNames;
  return Object.fromEntries(
    Object.entries(written).filter(([name]) => !common.has(name) || Object.hasOwn(declared, name)),
  );
}
