import { z } from 'zod';

/** The answer of an action on many things. Both numbers are the same; each generation of clients reads its own. */
export const BulkResponse = z.object({ count: z.number().int(), totalItems: z.number().int() });
export type BulkResponse = z.infer<typeof BulkResponse>;

/** Nothing was done, because of these. The messages are keys that clients translate. */
export const BulkErrorResponse = z.object({
  message: z.string(),
  invalids: z.array(z.object({ message: z.string(), invalidValue: z.string() })),
});
export type BulkErrorResponse = z.infer<typeof BulkErrorResponse>;
