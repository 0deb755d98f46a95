import type { ExecutionRecord } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';
import { z } from 'zod';
import { dataOf, StoredDate } from '../storedDocument.ts';
import { failureGroupId, normalizeMessage } from './rules/cause.ts';

export const FailureGroup = z.object({
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  taskId: z.string().optional(),
  normalized: z.string(),
  /** The message of the last failure. */
  message: z.string(),
  firstAt: StoredDate,
  lastAt: StoredDate,
  count: z.number().int(),
  lastExecutionId: z.string(),
  /** Failures per hour since the epoch, the last `trendHours` hours with a failure. */
  trend: z.record(z.string(), z.number()),
});
/** Failures with the same cause: the same flow, task and normalized message. */
export type FailureGroup = Readonly<z.infer<typeof FailureGroup>>;

export interface Cause {
  readonly groupId: string;
  readonly taskId?: string | undefined;
  readonly message: string;
  readonly normalized: string;
}

export interface Failure {
  readonly execution: ExecutionRecord;
  readonly at: number;
  readonly cause: Cause;
}

export const failureKinds = {
  /** Groups by their last failure; the parent is the namespace. */
  group: 'inbox.group',
  /** Failed executions by the date of the failure; the parent is the group. */
  failure: 'inbox.failure',
} as const;

export const trendHours = 24;
export const hourMs = 3_600_000;
const maxMessage = 2_000;
/** Error lines that are read to find the message of the failure. */
const maxLines = 50;

/** The task and the message of a failure: its last error line. Undefined while there is no such line yet. */
export async function readCause(execution: ExecutionRecord, store: Store): Promise<Cause | undefined> {
  const lines = await store.listLogs({ executionId: execution.id, minLevel: 'ERROR', limit: maxLines });
  const line = lines.findLast(({ taskId }) => taskId !== undefined) ?? lines.at(-1);
  return line && causeOf(execution, line.message, line.taskId);
}

export function causeOf(
  { namespace, flowId }: Pick<ExecutionRecord, 'namespace' | 'flowId'>,
  message: string,
  taskId?: string,
): Cause {
  const normalized = normalizeMessage(message);
  const groupId = failureGroupId({ namespace, flowId, taskId, normalized });
  return { groupId, taskId, message: message.slice(0, maxMessage), normalized };
}

/** The group after a further failure. */
export function addFailure(group: FailureGroup | undefined, { execution, at, cause }: Failure): FailureGroup {
  const hour = String(Math.floor(at / hourMs));
  const trend = { ...group?.trend, [hour]: (group?.trend[hour] ?? 0) + 1 };
  const kept = Object.keys(trend)
    .sort((a, b) => Number(a) - Number(b))
    .slice(-trendHours);
  const isLast = at >= (group?.lastAt ?? 0);
  return {
    id: cause.groupId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    taskId: cause.taskId,
    normalized: cause.normalized,
    message: isLast || !group ? cause.message : group.message,
    firstAt: Math.min(group?.firstAt ?? at, at),
    lastAt: Math.max(group?.lastAt ?? at, at),
    count: (group?.count ?? 0) + 1,
    lastExecutionId: isLast || !group ? execution.id : group.lastExecutionId,
    trend: Object.fromEntries(kept.map((each) => [each, trend[each] ?? 0])),
  };
}

/** Records failures: one operation per group and one per execution. A restarted execution may fail again. */
export async function failureOps(failures: readonly Failure[], store: Store): Promise<Op[]> {
  const byGroup = new Map<string, Failure[]>();
  for (const failure of failures) {
    const known = byGroup.get(failure.cause.groupId);
    if (known) known.push(failure);
    else byGroup.set(failure.cause.groupId, [failure]);
  }
  const groups = await Promise.all(
    [...byGroup].map(async ([id, members]): Promise<Op> => {
      const stored = await store.getDocument(failureKinds.group, id);
      const before = stored && dataOf(FailureGroup, stored);
      const group = members.reduce<FailureGroup | undefined>(addFailure, before);
      return {
        op: 'document.put',
        document: {
          kind: failureKinds.group,
          id,
          parent: members[0]?.execution.namespace ?? '',
          at: group?.lastAt ?? 0,
          data: group,
        },
        expectVersion: stored?.version ?? 0,
      };
    }),
  );
  const last = new Map(failures.map((failure) => [failure.execution.id, failure]));
  const members = [...last.values()].map(
    ({ execution, at, cause }): Op => ({
      op: 'document.put',
      document: {
        kind: failureKinds.failure,
        id: execution.id,
        parent: cause.groupId,
        at,
        data: { state: 'FAILED' },
      },
    }),
  );
  return [...groups, ...members];
}
