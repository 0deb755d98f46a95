import { LogLevel, StateType } from '@millrace/contract';
import { z } from 'zod';
import { listSearch, several, text } from '../../searchParams.ts';

const ExecutionsSearch = z.object({
  ...listSearch,
  flowId: text,
  state: several(StateType),
  labels: several(z.string()),
  timeRange: text,
  startDate: text,
  endDate: text,
  triggerExecutionId: text,
});
export type ExecutionsSearch = z.infer<typeof ExecutionsSearch>;
export const parseExecutionsSearch = (raw: Record<string, unknown>): ExecutionsSearch =>
  ExecutionsSearch.parse(raw);

/** One selection for all tabs: whichever view chooses a task run, the others show it. */
const ExecutionSearch = z.object({ taskRunId: text, level: LogLevel.optional().catch(undefined) });
export type ExecutionSearch = z.infer<typeof ExecutionSearch>;
export const parseExecutionSearch = (raw: Record<string, unknown>): ExecutionSearch =>
  ExecutionSearch.parse(raw);
