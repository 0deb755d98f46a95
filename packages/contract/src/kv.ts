import { z } from 'zod';

export const kvTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'DATETIME', 'DATE', 'DURATION', 'JSON'] as const;
export const KvType = z.enum(kvTypes);
export type KvType = z.infer<typeof KvType>;

export const kvKeyPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

/** An entry of the key-value store without its value. */
export const KvEntry = z.object({
  namespace: z.string(),
  key: z.string(),
  description: z.string().optional(),
  version: z.number().int(),
  creationDate: z.string(),
  updateDate: z.string(),
  expirationDate: z.string().optional(),
});
export type KvEntry = z.infer<typeof KvEntry>;

/** A value and its type; `null` has no value. */
export const KvValue = z.object({ type: KvType, value: z.unknown().optional() });
export type KvValue = z.infer<typeof KvValue>;
