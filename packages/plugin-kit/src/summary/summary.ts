import type { StateType } from '@millrace/contract';
import type { ExecutionFacts } from '../context.ts';
import type { TaskContext } from '../definition.ts';
import { anything, deprecated, mapOf, text } from '../dynamic.ts';
import { TaskFailed } from '../failure.ts';

/** The properties that every task has which reports about an execution. */
export const summaryProperties = {
  executionId: text()
    .optional()
    .describe(
      'The execution to report; the current one (`{{ execution.id }}`) when absent. In a flow that a Flow trigger starts, use `{{ trigger.executionId }}`.',
    ),
  customFields: mapOf(anything()).optional().describe('More fields of the message: names and values.'),
  customMessage: text().optional().describe('A text above the report.'),
  templateUri: deprecated(text().optional(), 'The task builds the message itself; this has no effect.'),
  templateRenderMap: deprecated(
    mapOf(anything()).optional(),
    'The task builds the message itself; use `customFields`.',
  ),
};

interface SummaryInput {
  readonly executionId?: string | undefined;
  readonly customFields?: Readonly<Record<string, unknown>> | undefined;
  readonly customMessage?: string | undefined;
}

export type Outcome = 'success' | 'warning' | 'failure' | 'running';

/** The content of a message about an execution, the same for every service. */
export interface Summary {
  readonly executionId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly state: StateType;
  readonly outcome: Outcome;
  readonly startDate: string;
  /** As `00:01:05.250`. */
  readonly duration: string;
  readonly link?: string;
  readonly failedTaskId?: string;
  readonly lastTaskId?: string;
  readonly customMessage?: string;
  /** As `[company.team] orders ➛ FAILED`. */
  readonly title: string;
  /** As ``Failed on task `load` after 00:01:05.250``. */
  readonly sentence: string;
  /** The facts in the order in which they are shown, custom fields last. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

type Context = Pick<TaskContext, 'run' | 'variables' | 'actions'>;

/** Collects the facts about the execution that the properties name. */
export async function summarize(
  context: Context,
  input: SummaryInput,
  now: number = Date.now(),
): Promise<Summary> {
  const { startDate, endDate, ...facts } = await findFacts(context, input.executionId);
  const { namespace, flowId, id: executionId, state, failedTaskId, lastTaskId } = facts;
  const duration = toClock((endDate === undefined ? now : Date.parse(endDate)) - Date.parse(startDate));
  const outcome = outcomeOf(state);
  const where = failedTaskId === undefined ? '' : ` on task \`${failedTaskId}\``;
  const custom = Object.entries(input.customFields ?? {}).map(
    ([name, value]) => [name, toText(value)] as const,
  );
  return {
    executionId,
    namespace,
    flowId,
    state,
    outcome,
    startDate,
    duration,
    ...(facts.link !== undefined && { link: facts.link }),
    ...(failedTaskId !== undefined && { failedTaskId }),
    ...(lastTaskId !== undefined && { lastTaskId }),
    ...(input.customMessage && { customMessage: input.customMessage }),
    title: `[${namespace}] ${flowId} ➛ ${state}`,
    sentence: `${verbs[outcome]}${outcome === 'failure' ? where : ''} after ${duration}`,
    fields: [
      ['Namespace', namespace],
      ['Flow ID', flowId],
      ['Execution ID', executionId],
      ['Execution Status', state],
      ...(failedTaskId === undefined ? [] : ([['Failed task ID', failedTaskId]] as const)),
      ...(lastTaskId === undefined ? [] : ([['Final task ID', lastTaskId]] as const)),
      ...custom,
    ],
  };
}

const verbs: Record<Outcome, string> = {
  success: 'Succeeded',
  warning: 'Ended with a warning',
  failure: 'Failed',
  running: 'Running',
};

function outcomeOf(state: StateType): Outcome {
  switch (state) {
    case 'SUCCESS':
      return 'success';
    case 'WARNING':
      return 'warning';
    case 'FAILED':
    case 'KILLED':
    case 'KILLING':
    case 'CANCELLED':
    case 'RETRIED':
      return 'failure';
    default:
      return 'running';
  }
}

/** For an execution that a Flow trigger reacted to, the state is the state at that time. */
async function findFacts(context: Context, given: string | undefined): Promise<ExecutionFacts> {
  const executionId = given ?? context.run.executionId;
  const found = await context.actions.findExecution(executionId);
  const reacted = reactedTo(context.variables.trigger, executionId);
  if (found) return reacted ? { ...found, state: reacted.state } : found;
  if (reacted) return reacted;
  throw new TaskFailed(
    `Execution "${executionId}" was not found. Set \`executionId\` to the id of an execution, for example {{ trigger.executionId }} in a flow with a Flow trigger.`,
    { retry: false },
  );
}

/** The facts in the variables of a Flow trigger, for an execution that was deleted since. */
function reactedTo(trigger: unknown, executionId: string): ExecutionFacts | undefined {
  if (typeof trigger !== 'object' || trigger === null) return undefined;
  // `as`: every value is checked below.
  const {
    executionId: id,
    namespace,
    flowId,
    state,
    startDate,
    endDate,
  } = trigger as Record<string, unknown>;
  if (id !== executionId || typeof state !== 'string') return undefined;
  return {
    id: executionId,
    tenantId: 'main',
    namespace: String(namespace ?? ''),
    flowId: String(flowId ?? ''),
    state: state as StateType, // a trigger only ever stores a state
    startDate: typeof startDate === 'string' ? startDate : new Date().toISOString(),
    ...(typeof endDate === 'string' && { endDate }),
    labels: [],
  };
}

/** As `00:01:05.250`; days count as hours. */
function toClock(ms: number): string {
  const all = Math.max(0, Math.round(ms));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}.${rest}`;
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Truncates a text to the limit of a service and marks the cut. Never splits a character. */
export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
