import { bulkExecutions, type Execution, type Label, type StateType } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callAsJob, trackJob } from '../../../shell/notices/trackedJobs.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import type { Selection } from '../../../ui/index.ts';
import { type ExecutionAction, statesAllowing } from '../actions/executionActions.ts';
import { executionsQuery } from '../queries.ts';

/** How many executions a bulk call will be about; undefined while the server counts. */
export function useBulkCount(target: BulkTarget): number | undefined {
  const isQuery = target.kind === 'query';
  const { data } = useQuery({
    ...executionsQuery({ ...(isQuery ? target.filters : {}), size: 1 }),
    enabled: isQuery,
    staleTime: 0,
  });
  return target.kind === 'ids' ? target.ids.length : data?.total;
}

const changes = ['executions', 'execution', 'stats'];

interface UseBulkOptions {
  /** The name of the action, for one that takes long. */
  title: string;
  done: (count: number) => string;
  onDone: () => void;
}

/** Acts on many executions, says how many it were, and lets every list look again. */
export function useBulk({ title, done, onDone }: UseBulkOptions) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: () => ReturnType<typeof actOnMany>) => act(),
    onSuccess: (result) => {
      if ('jobId' in result) trackJob({ id: result.jobId, title, changes });
      else showSuccess(done(result.reply.count));
      onDone();
    },
    // A refusal means that the list shows old states.
    onSettled: () => Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}

/** What a bulk call is about: executions by their ids, or whatever a search finds at the moment of the call. */
export type BulkTarget =
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly leftAlone: number }
  | { readonly kind: 'query'; readonly filters: Readonly<Record<string, unknown>> };

/** The server refuses an action as a whole when one execution does not allow it, so those are left out beforehand. */
export function bulkTarget(
  selection: Selection<Execution>,
  filters: Readonly<Record<string, unknown>>,
  action: ExecutionAction,
  states: readonly StateType[] = statesAllowing(action),
): BulkTarget {
  if (selection.kind === 'all') return { kind: 'query', filters: narrowToStates(filters, states) };
  const fitting = selection.rows.filter(({ state }) => states.includes(state.current));
  return {
    kind: 'ids',
    ids: fitting.map(({ id }) => id),
    leftAlone: selection.rows.length - fitting.length,
  };
}

/** The same filters, and only these states. Conditions by full name add up, so one that excludes states stays. */
function narrowToStates(
  { state, ...filters }: Readonly<Record<string, unknown>>,
  states: readonly StateType[],
): Record<string, unknown> {
  const named = filters['filters[state][IN]'];
  const asked = [state, typeof named === 'string' ? named.split(',') : named]
    .flat()
    .filter((one) => one !== undefined);
  const wanted = asked.length === 0 ? states : states.filter((one) => asked.includes(one));
  return { ...filters, 'filters[state][IN]': wanted.join(',') };
}

const pairs = {
  restart: bulkExecutions.restart,
  replay: bulkExecutions.replay,
  changeStatus: bulkExecutions.changeStatus,
  resume: bulkExecutions.resume,
  pause: bulkExecutions.pause,
  unqueue: bulkExecutions.unqueue,
  forceRun: bulkExecutions.forceRun,
  kill: bulkExecutions.kill,
  delete: bulkExecutions.remove,
} as const;

export type BulkAction = keyof typeof pairs | 'setLabels';

/** What an action needs to know beyond whom it is about. */
export type BulkOptions = Readonly<Record<string, string | boolean>>;

export function actOnMany(action: keyof typeof pairs, target: BulkTarget, options: BulkOptions = {}) {
  // `as`: the pairs differ only in the options that their queries name, and every query takes further names.
  const { byIds, byQuery } = pairs[action] as typeof bulkExecutions.restart;
  return target.kind === 'ids'
    ? callAsJob(byIds, { query: options, body: [...target.ids], failures: 'handled' })
    : callAsJob(byQuery, { query: { ...target.filters, ...options }, failures: 'handled' });
}

export function setLabelsOfMany(target: BulkTarget, labels: Label[]) {
  return target.kind === 'ids'
    ? callAsJob(bulkExecutions.labelsByIds, {
        body: { executionsId: [...target.ids], executionLabels: labels },
        failures: 'handled',
      })
    : callAsJob(bulkExecutions.labelsByQuery, {
        query: { ...target.filters },
        body: labels,
        failures: 'handled',
      });
}
