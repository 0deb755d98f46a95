import { LogLevel, StateType } from '@millrace/contract';
import { z } from 'zod';
import { dateSearch, listSearch, listSearchOf, several, text } from '../../searchParams.ts';

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

/** One selection for all tabs: whichever view chooses a task run, the others show it. */
const ExecutionSearch = z.object({ taskRunId: text, level: LogLevel.optional().catch(undefined) });
export type ExecutionSearch = z.infer<typeof ExecutionSearch>;
export const parseExecutionSearch = (raw: Record<string, unknown>): ExecutionSearch =>
  ExecutionSearch.parse(raw);
