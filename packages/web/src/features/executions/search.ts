import { LogLevel, StateType } from '@millrace/contract';
import { z } from 'zod';
import { count, dateSearch, listSearch, listSearchOf, several, text } from '../../searchParams.ts';

/** By task run, or all lines as they were written. */
const logOrders = ['task', 'time'] as const;
export type LogOrder = (typeof logOrders)[number];

/** What a list of executions keeps in the address of the page that it is on. */
export const executionListSearch = {
  ...listSearch,
  ...dateSearch,
  flowId: text,
  state: several(StateType),
  scope: several(z.enum(['USER', 'SYSTEM'])),
  labels: several(z.string()),
  childFilter: z.enum(['MAIN', 'CHILD']).optional().catch(undefined),
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
  /** The subflows that are drawn open in the graph. */
  subflows: text,
  /** The file that is being looked into. */
  preview: text,
  sort: listSearch.sort,
  page: count,
  size: count,
});
export type ExecutionSearch = z.infer<typeof ExecutionSearch>;
/** Changes a part of what the address of an execution says. */
export type KeepInAddress = (part: Partial<ExecutionSearch>) => void;
export const parseExecutionSearch = (raw: Record<string, unknown>): ExecutionSearch =>
  ExecutionSearch.parse(raw);

/** What the other tabs show too: the selection, and which lines of its log. */
export const acrossTabs = ({ taskRunId, level, q, order, attempt }: ExecutionSearch): ExecutionSearch => ({
  taskRunId,
  level,
  q,
  order,
  attempt,
});
