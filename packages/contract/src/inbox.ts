import { z } from 'zod';

/** The decisions of users about an item of the inbox. */
export const InboxMark = z.object({
  /** The item stays hidden until something new happens to it. */
  acknowledgedAt: z.iso.datetime().optional(),
  mutedUntil: z.iso.datetime().optional(),
  note: z.string().optional(),
});
export type InboxMark = z.infer<typeof InboxMark>;

const item = {
  /** Names the item in calls about it. */
  key: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  /** Since when it needs attention; of failures, the last one. */
  at: z.iso.datetime(),
  mark: InboxMark.optional(),
};

/** A date that needs attention before it comes, and once more when it has come. */
const expiring = {
  key: item.key,
  at: item.at,
  mark: item.mark,
  name: z.string(),
  expiresAt: z.iso.datetime(),
};

/** Failed executions with the same cause: flow, task and normalized message. */
export const InboxFailure = z.object({
  ...item,
  groupId: z.string(),
  taskId: z.string().optional(),
  /** The message of the last failure. */
  message: z.string(),
  firstAt: z.iso.datetime(),
  count: z.number().int(),
  /** Failures per hour; the last number is the current hour. */
  trend: z.array(z.number().int()),
  executionId: z.string(),
  /** When the flow succeeded after the last failure. */
  recoveredAt: z.iso.datetime().optional(),
});
export type InboxFailure = z.infer<typeof InboxFailure>;

export const InboxItem = z.discriminatedUnion('kind', [
  /** An execution is paused until a user resumes it. */
  z.object({
    ...item,
    kind: z.literal('approval'),
    executionId: z.string(),
    taskId: z.string(),
    description: z.string().optional(),
    /** The names of the inputs that it asks for. */
    inputs: z.array(z.string()),
  }),
  /** A schedule should have started an execution. */
  z.object({ ...item, kind: z.literal('late'), triggerId: z.string() }),
  /** Dates of a schedule passed without an execution while no server ran; the first of them. */
  z.object({ ...item, kind: z.literal('missed'), triggerId: z.string(), firstAt: z.iso.datetime() }),
  /** An execution runs much longer than its flow usually does. */
  z.object({ ...item, kind: z.literal('long'), executionId: z.string(), usualMs: z.number() }),
  /** Executions wait for a concurrency slot; `at` is the start of the oldest one. */
  z.object({ ...item, kind: z.literal('queue'), count: z.number().int() }),
  /** An API token expires soon or has expired. */
  z.object({ ...expiring, kind: z.literal('token') }),
  /** A secret expires soon or has expired, as far as users noted its date. */
  z.object({ ...expiring, kind: z.literal('secret') }),
]);
export type InboxItem = z.infer<typeof InboxItem>;

export const Inbox = z.object({
  failures: z.array(InboxFailure),
  items: z.array(InboxItem),
  /** Items that need attention: neither acknowledged, muted nor recovered. */
  open: z.number().int(),
  /** Acknowledged and muted items, which are left out unless requested. */
  hidden: z.number().int(),
});
export type Inbox = z.infer<typeof Inbox>;
