import {
  type ExecutionRecord,
  type Flow,
  isTerminal,
  type StateType,
  type TaskRunRecord,
} from '@millrace/contract';
import type { ExecutionFacts } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import type { FlowCache } from './flowCache.ts';
import { linkToExecution } from './linkToExecution.ts';

type Parts = { readonly store: Store; readonly flows: FlowCache; readonly config: Config };

/** The facts about an execution that reporting tasks receive. */
export async function findExecutionFacts(
  executionId: string,
  { store, flows, config }: Parts,
): Promise<ExecutionFacts | undefined> {
  const found = await store.getExecution(executionId);
  if (!found) return undefined;
  const { execution, taskRuns } = found;
  const { id, tenantId, namespace, flowId, flowRevision, labels } = execution;
  const flow = (await flows.find(namespace, flowId, flowRevision))?.runnable;
  const failed = taskRuns.filter(counts(taskRuns)).sort((a, b) => endOf(a) - endOf(b))[0];
  const last = taskRuns.filter(hasEnded).sort((a, b) => endOf(b) - endOf(a) || b.order - a.order)[0];
  const { histories, current } = execution.state;
  const ended = isTerminal(current) ? histories.at(-1) : undefined;
  const link = config.url === undefined ? undefined : linkToExecution(config.url, execution);
  return {
    id,
    tenantId,
    namespace,
    flowId,
    state: stateOf(execution, taskRuns, flow, failed !== undefined),
    startDate: toIso(histories[0]?.date ?? execution.originalCreatedAt),
    ...(ended && { endDate: toIso(ended.date) }),
    labels,
    ...(link !== undefined && { link }),
    ...(failed && { failedTaskId: failed.taskId }),
    ...(last && { lastTaskId: last.taskId }),
  };
}

/** A failure decides the end before `errors` and `finally` have run; without one, the start of `finally` does. */
function stateOf(
  { state }: ExecutionRecord,
  taskRuns: readonly TaskRunRecord[],
  flow: Flow | undefined,
  isFailing: boolean,
): StateType {
  if (isTerminal(state.current) || state.current === 'KILLING') return state.current;
  if (isFailing) return 'FAILED';
  const last = new Set((flow?.finally ?? []).map(({ id }) => id));
  if (!taskRuns.some(({ taskId }) => last.has(taskId))) return state.current;
  return taskRuns.some((run) => run.state.current === 'WARNING') ? 'WARNING' : 'SUCCESS';
}

/** The tasks that failed, without their parent groups and without failures that a parent group allowed. */
function counts(taskRuns: readonly TaskRunRecord[]): (run: TaskRunRecord) => boolean {
  const byId = new Map(taskRuns.map((run) => [run.id, run]));
  const failedInside = new Set(taskRuns.filter(hasFailed).map(({ parentId }) => parentId));
  return (run) => {
    if (!hasFailed(run) || failedInside.has(run.id)) return false;
    for (let at: TaskRunRecord | undefined = run; at; at = byId.get(at.parentId ?? ''))
      if (hasEnded(at) && !hasFailed(at)) return false;
    return true;
  };
}

const hasFailed = ({ state }: TaskRunRecord): boolean => state.current === 'FAILED';
const hasEnded = ({ state }: TaskRunRecord): boolean => isTerminal(state.current);
const endOf = ({ state }: TaskRunRecord): number => state.histories.at(-1)?.date ?? 0;
const toIso = (at: number): string => new Date(at).toISOString();
