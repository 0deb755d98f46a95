import type { Store } from '@millrace/store';

/** Whether the request with this key is in the log of the execution: it is stored with its changes. */
export async function isApplied(
  executionId: string,
  requestKey: string,
  { store }: { readonly store: Pick<Store, 'listEvents'> },
): Promise<boolean> {
  const mentions = [`"requestKey":${JSON.stringify(requestKey)}`];
  return (await store.listEvents(executionId, { mentions, limit: 1 })).length > 0;
}
