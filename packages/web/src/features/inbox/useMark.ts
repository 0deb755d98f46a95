import { type BodyOf, inbox } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** Changes the mark of an item and reads the inbox again. */
export function useMark() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof inbox.markItem>) => call(inbox.markItem, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
}
