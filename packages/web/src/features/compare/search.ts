import { z } from 'zod';
import { text } from '../../searchParams.ts';

/** What is shown of the selected place: of an execution its inputs, source and outputs, of a task run the others. */
export const executionParts = ['inputs', 'source', 'outputs'] as const;
export const runParts = ['outputs', 'properties', 'logs'] as const;
export type ComparedPart = (typeof executionParts)[number] | (typeof runParts)[number];

const CompareSearch = z.object({
  left: text,
  right: text,
  /** The path of the selected task runs; the executions themselves without one. */
  at: text,
  part: z
    .enum([...executionParts, ...runParts])
    .optional()
    .catch(undefined),
  q: text,
  /** Also what is the same on both sides. */
  all: z.literal('true').optional().catch(undefined),
});
export type CompareSearch = z.infer<typeof CompareSearch>;
export const parseCompareSearch = (raw: Record<string, unknown>): CompareSearch => CompareSearch.parse(raw);
