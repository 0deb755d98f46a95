import { z } from 'zod';

const Position = z.object({ line: z.number().int(), column: z.number().int() });

/** One finding about a text the user wrote. Lines and columns start at 1. */
export const Issue = z.object({
  severity: z.enum(['error', 'warning', 'info', 'deprecation']),
  /** Property path such as `tasks[0].id`; empty for the whole document. */
  path: z.string(),
  message: z.string(),
  range: z.object({ start: Position, end: Position }).optional(),
});
export type Issue = z.infer<typeof Issue>;
