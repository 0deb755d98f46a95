import { z } from 'zod';

/** The response of a bulk action. Both numbers are the same; older and newer clients each read their own. */
export const BulkResponse = z.object({ count: z.number().int(), totalItems: z.number().int() });
export type BulkResponse = z.infer<typeof BulkResponse>;

/** The reasons why nothing was done. The messages are keys that clients translate. */
export const BulkErrorResponse = z.object({
  message: z.string(),
  invalids: z.array(z.object({ message: z.string(), invalidValue: z.string() })),
});
export type BulkErrorResponse = z.infer<typeof BulkErrorResponse>;
