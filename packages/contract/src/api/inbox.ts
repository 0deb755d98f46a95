import { z } from 'zod';
import { BulkResponse } from '../bulk.ts';
import { endpoint } from '../endpoint.ts';
import { Inbox, InboxMark } from '../inbox.ts';
import { flag, Paging } from '../paging.ts';
import { StateType } from '../state.ts';

export const readInbox = endpoint({
  method: 'GET',
  path: '/inbox',
  summary: 'Reads everything that needs the attention of an operator',
  query: z.looseObject({ namespace: z.string().optional(), hidden: flag(false) }),
  reply: Inbox,
});

export const countInbox = endpoint({
  method: 'GET',
  path: '/inbox/count',
  summary: 'Counts the items of the inbox that need attention',
  reply: z.object({ count: z.number().int() }),
});

/** `acknowledged: false` and `mutedUntil: null` bring an item back; an empty note removes it. */
export const markItem = endpoint({
  method: 'POST',
  path: '/inbox/marks',
  summary: 'Acknowledges or mutes an item of the inbox, or adds a note to it',
  body: z.strictObject({
    key: z.string().min(1).max(600),
    acknowledged: z.boolean().optional(),
    mutedUntil: z.iso.datetime({ offset: true }).nullish(),
    note: z.string().max(2_000).optional(),
  }),
  reply: InboxMark,
});

export const listFailures = endpoint({
  method: 'GET',
  path: '/inbox/failures/{groupId}/executions',
  summary: 'Lists the executions of a failure group, the newest first',
  params: z.object({ groupId: z.string() }),
  query: z.looseObject({ page: Paging.shape.page, size: Paging.shape.size }),
  reply: z.object({
    results: z.array(
      z.object({
        executionId: z.string(),
        failedAt: z.iso.datetime(),
        /** The current state; absent when the execution was deleted. */
        state: StateType.optional(),
      }),
    ),
    hasMore: z.boolean(),
  }),
});

export const restartFailures = endpoint({
  method: 'POST',
  path: '/inbox/failures/{groupId}/restart',
  summary: 'Restarts the executions of a failure group that are still failed',
  params: z.object({ groupId: z.string() }),
  reply: BulkResponse,
});
