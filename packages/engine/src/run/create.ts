import {
  type ExecutionRecord,
  type Flow,
  type Label,
  playgroundKind,
  playgroundLabel,
  systemLabelPrefix,
  type TriggerInfoRecord,
} from '@millrace/contract';
import type { Playground } from '../playground/playgroundFlow.ts';
import type { Breakpoint } from './event.ts';
import { createdState, moveExecution } from './state.ts';

export interface NewExecution {
  readonly id: string;
  readonly tenantId: string;
  readonly now: number;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Given by the caller, the trigger or the parent. */
  readonly labels?: readonly Label[];
  readonly trigger?: TriggerInfoRecord;
  readonly scheduledAt?: number;
  readonly kind?: string;
  /** Where it stops until a user resumes it. */
  readonly breakpoints?: readonly Breakpoint[];
  readonly traceParent?: string;
  /** The messages of checks that failed and ask for an execution that fails. */
  readonly failedChecks?: readonly string[];
  /** The part of the flow that a playground execution runs. */
  readonly playground?: Playground;
}

const correlationId = 'system.correlationId';

/** A new execution of a flow, in state CREATED. The caller has checked the inputs. */
export function createExecution(flow: Flow, given: NewExecution): ExecutionRecord {
  const { id, now, inputs, trigger, scheduledAt, kind, traceParent } = given;
  return {
    id,
    tenantId: given.tenantId,
    namespace: flow.namespace,
    flowId: flow.id,
    flowRevision: flow.revision,
    state: createdState(now),
    ...(inputs && Object.keys(inputs).length > 0 ? { inputs } : {}),
    labels: labelsOf(flow, given, id),
    ...(flow.variables ? { variables: flow.variables } : {}),
    ...(trigger ? { trigger } : {}),
    originalId: id,
    attemptNumber: 1,
    originalCreatedAt: now,
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
    ...(kind === undefined ? {} : { kind }),
    ...memoOf(given),
    ...(traceParent === undefined ? {} : { traceParent }),
  };
}

function memoOf({ breakpoints, failedChecks, playground }: NewExecution): Pick<ExecutionRecord, 'memo'> {
  const memo = {
    ...(breakpoints?.length ? { breakpoints } : {}),
    ...(failedChecks?.length ? { failedChecks } : {}),
    ...(playground ? { playground } : {}),
  };
  return Object.keys(memo).length > 0 ? { memo } : {};
}

/** An execution that failed before it could start; it only makes the failure visible. */
export function createFailedExecution(flow: Flow, given: NewExecution): ExecutionRecord {
  const created = createExecution(flow, given);
  return { ...created, state: moveExecution(created.state, 'FAILED', given.now), closedAt: given.now };
}

/** Labels of the flow, then the given ones, then the correlation id; the last value of a key wins. */
function labelsOf(flow: Flow, { labels: given = [], kind }: NewExecution, id: string): readonly Label[] {
  const own = (flow.labels ?? []).filter((label) => !label.key.startsWith(systemLabelPrefix));
  const labels = new Map([...own, ...given].map((label) => [label.key, label.value]));
  if (kind === playgroundKind) labels.set(playgroundLabel.key, playgroundLabel.value);
  if (!labels.has(correlationId)) labels.set(correlationId, id);
  return [...labels].map(([key, value]) => ({ key, value }));
}
