import { LogLevel } from '@millrace/contract';
import { z } from 'zod';
import { count, listSearch, listSearchOf, several, text } from '../../searchParams.ts';
import { editorSides, settings } from '../../storage/settings.ts';
import { executionListSearch } from '../executions/index.ts';

/** What a list of flows keeps in the address of the page that it is on. */
export const flowListSearch = {
  ...listSearch,
  labels: several(z.string()),
  flowId: text,
  scope: several(z.enum(['USER', 'SYSTEM'])),
};
export const parseFlowsSearch = listSearchOf(flowListSearch);
export type FlowsSearch = ReturnType<typeof parseFlowsSearch>;

/** How a flow is edited, what stands beside it, and the form that is open. */
const editorSearch = {
  editor: z.enum(settings.editorType.values).optional().catch(undefined),
  side: z.enum(editorSides).optional().catch(undefined),
  element: text,
};

/** A new flow may start from a blueprint, or from another flow, `namespace/id`. */
const FlowCreateSearch = z.object({
  ...editorSearch,
  namespace: text,
  blueprintId: text,
  blueprintSource: text,
  copyOf: text,
});
export type FlowCreateSearch = z.infer<typeof FlowCreateSearch>;
export const parseFlowCreateSearch = (raw: Record<string, unknown>): FlowCreateSearch =>
  FlowCreateSearch.parse(raw);

/** A flow's tabs share one address, so the parameters of all of them are listed here. */
export const parseFlowSearch = listSearchOf({
  ...executionListSearch,
  revisionLeft: count,
  revisionRight: count,
  view: z.enum(['inline', 'split', 'graph']).optional().catch(undefined),
  /** The calendar: what it shows at once, and the day in it. */
  period: z.enum(['day', 'week', 'month']).optional().catch(undefined),
  date: text,
  /** The draft revision to open in the editor. */
  draft: text,
  level: LogLevel.optional().catch(undefined),
  triggerId: text,
  workerId: text,
  task: text,
  metric: text,
  aggregation: z.enum(['sum', 'avg', 'min', 'max']).optional().catch(undefined),
  chain: z.literal('all').optional().catch(undefined),
  subflows: text,
  ...editorSearch,
  file: text,
  suite: text,
  record: text,
  // A link to the execute dialog, with inputs as JSON.
  execute: text,
  inputs: text,
});
export type FlowSearch = ReturnType<typeof parseFlowSearch>;
