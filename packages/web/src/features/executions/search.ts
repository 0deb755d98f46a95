import { LogLevel, StateType } from '@millrace/contract';
import { z } from 'zod';
import { count, dateSearch, listSearch, listSearchOf, several, text } from '../../searchParams.ts';

/** By task run, or all lines as they were written. */
const logOrders = ['task', 'time'] as const;
export type LogOrder = (typeof logOrders)[number];

/** Groups of kinds of events that the list can be narrowed to. */
export const eventGroups = ['manual', 'state', 'task', 'decision'] as const;
export type EventGroup = (typeof eventGroups)[number];

/** What a list of executions keeps in the address of the page that it is on. */
export const executionListSearch = {
  ...listSearch,
  ...dateSearch,
  flowId: text,
  state: several(StateType),
  scope: several(z.enum(['USER', 'SYSTEM'])),
  labels: several(z.string()),
  childFilter: z.enum(['MAIN', 'CHILD']).optional().catch(undefined),
  kind: z.enum(['NORMAL', 'PLAYGROUND']).optional().catch(undefined),
  triggerExecutionId: text,
};
export const parseExecutionsSearch = listSearchOf(executionListSearch);
export type ExecutionsSearch = ReturnType<typeof parseExecutionsSearch>;

/** The tabs of an execution share one address, so the parameters of all of them are listed here. */
const ExecutionSearch = z.object({
  /** One selection for all tabs: whichever view chooses a task run, the others show it. */
  taskRunId: text,
  level: LogLevel.optional().catch(undefined),
  q: text,
  order: z.enum(logOrders).optional().catch(undefined),
  /** Counted from one, as people do. */
  attempt: count,
  /** A task run of the iteration that is open in its loop, and which iterations its list shows. */
  iteration: text,
  iterationState: StateType.optional().catch(undefined),
  iterationText: text,
  /** The subflows that are drawn open in the graph. */
  subflows: text,
  /** What is searched for in the outputs of all task runs. */
  find: text,
  /** The file that is being looked into. */
  preview: text,
  /** The moment that the page shows, as an ISO date; the present without it. */
  at: text,
  /** Which kinds of events are listed. */
  events: z.enum(eventGroups).optional().catch(undefined),
  sort: listSearch.sort,
  page: count,
  size: count,
});
export type ExecutionSearch = z.infer<typeof ExecutionSearch>;
/** Changes a part of what the address of an execution says. */
export type SetSearch = (part: Partial<ExecutionSearch>) => void;
export const parseExecutionSearch = (raw: Record<string, unknown>): ExecutionSearch =>
  ExecutionSearch.parse(raw);

/** What the other tabs show too: the selection, the open iteration, which lines of its log, and the moment. */
export const acrossTabs = (search: ExecutionSearch): ExecutionSearch => {
  const { taskRunId, level, q, order, attempt, iteration, iterationState, iterationText, at } = search;
  return { taskRunId, level, q, order, attempt, iteration, iterationState, iterationText, at };
};
