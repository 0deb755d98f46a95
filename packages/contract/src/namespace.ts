import { z } from 'zod';

export const Namespace = z.object({ id: z.string(), deleted: z.boolean() });
export type Namespace = z.infer<typeof Namespace>;

/** `disabled` says that no user created the namespace: it exists because something is in it. */
export const NamespaceInList = Namespace.extend({ disabled: z.boolean() });
export type NamespaceInList = z.infer<typeof NamespaceInList>;

/** `expirationDate` is what users noted about the secret: the product neither reads nor enforces it. */
export const SecretInList = z.object({ key: z.string(), expirationDate: z.iso.datetime().optional() });
export type SecretInList = z.infer<typeof SecretInList>;

/** Names of secrets; their values are never returned. */
export const SecretList = z.object({
  readOnly: z.boolean(),
  results: z.array(SecretInList),
  total: z.number().int(),
});
export type SecretList = z.infer<typeof SecretList>;
