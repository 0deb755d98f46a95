import { type Execution, executions, plugins, type TaskRun } from '@millrace/contract';
import type { TaskFixture } from '@millrace/engine/dry-run';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readExecution } from '../../api/follow.ts';
import { call } from '../../api/index.ts';
import { currentTenant } from '../../api/tenant.ts';
import { ofFlow } from '../listing/index.ts';
import { type Choices, fixturesOf } from './choices.ts';
import DryRunWorker from './dryRun.worker.ts?worker';
import type { DryRunReply, DryRunRequest, DryRunShown } from './runInWorker.ts';

/** At least this long after the last key, and longer where a run takes longer: typing comes first. */
const debounceMs = 120;
const maxDebounceMs = 1_500;
const none: readonly TaskFixture[] = [];
const writtenType = /(?:^|[\s{,-])["']?type["']?:[ \t]+["']?([\w.]+\.[\w.]+)/gm;

interface FlowName {
  readonly namespace: string;
  readonly id: string;
}

export interface DryRunState {
  readonly shown: DryRunShown | undefined;
  /** Why the newest text could not be run; `shown` is then of an earlier text. */
  readonly unreadable: string | undefined;
  /** Whether there is an execution to copy outputs from. */
  readonly hasExecution: boolean;
  /** The results of its tasks. */
  readonly copied: readonly TaskFixture[];
}

/** Runs the text in the worker a moment after each change, with the user's choices. */
export function useDryRun(source: string, flow: FlowName | undefined, choices: Choices): DryRunState {
  const types = useTaskTypes(source);
  const copied = useLastOutputs(flow);
  const [state, setState] = useState<{ shown?: DryRunShown; unreadable?: string }>({});
  const worker = useRef<Worker>(undefined);
  const count = useRef(0);
  const tookMs = useRef(0);

  useEffect(() => {
    const started = new DryRunWorker();
    worker.current = started;
    started.onmessage = ({ data }: MessageEvent<DryRunReply>) => {
      if (data.id !== count.current) return;
      if (!('unreadable' in data)) tookMs.current = data.tookMs;
      setState((before) =>
        'unreadable' in data
          ? { ...before, unreadable: data.unreadable }
          : { shown: keepSame(before.shown, data) },
      );
    };
    return () => started.terminate();
  }, []);

  useEffect(() => {
    if (!types) return;
    const timer = setTimeout(
      () => {
        count.current += 1;
        const request: DryRunRequest = {
          id: count.current,
          source,
          types,
          now: Date.now(),
          inputs: choices.inputs,
          branches: Object.fromEntries(
            Object.entries(choices.branches).filter(([, branch]) => branch !== ''),
          ),
          tasks: fixturesOf(choices, copied ?? []),
        };
        worker.current?.postMessage(request);
      },
      Math.min(maxDebounceMs, debounceMs + 4 * tookMs.current),
    );
    return () => clearTimeout(timer);
  }, [source, types, choices, copied]);

  return {
    shown: state.shown,
    unreadable: state.unreadable,
    hasExecution: copied !== undefined,
    copied: copied ?? none,
  };
}

/** Parts that did not change stay the same objects, so that the graph and the editor draw nothing again. */
function keepSame(before: DryRunShown | undefined, next: DryRunShown): DryRunShown {
  if (!before) return next;
  const isSame = (read: (shown: DryRunShown) => unknown): boolean =>
    JSON.stringify(read(before)) === JSON.stringify(read(next));
  return {
    ...next,
    notes: isSame(({ notes }) => notes) ? before.notes : next.notes,
    tasks: isSame(({ tasks }) => tasks) ? before.tasks : next.tasks,
    execution: isSame(({ execution }) => statesOf(execution)) ? before.execution : next.execution,
  };
}

/** What the graph shows of an execution. */
const statesOf = ({ state, taskRunList = [] }: Execution): unknown => [
  state.current,
  taskRunList.map(({ taskId, value, state: own }) => [taskId, value, own.current]),
];

/** The facts about the types that the text uses. They change only with the server. */
function useTaskTypes(source: string): DryRunRequest['types'] | undefined {
  const names = [...new Set([...source.matchAll(writtenType)].map(([, name = '']) => name))].sort().join(',');
  const { data } = useQuery({
    queryKey: ['taskTypes', names],
    queryFn: ({ signal }) =>
      names === ''
        ? []
        : call(plugins.listTaskTypes, { query: { types: names }, signal, failures: 'handled' }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  return data;
}

/** The results of the tasks of the flow's last execution, for tasks that need the outside. */
function useLastOutputs(flow: FlowName | undefined): readonly TaskFixture[] | undefined {
  const { data } = useQuery({
    queryKey: ['dryRun', 'lastOutputs', currentTenant(), flow?.namespace, flow?.id],
    enabled: flow !== undefined,
    queryFn: async ({ signal }) => {
      const { results } = await call(executions.searchExecutions, {
        query: {
          ...ofFlow({ namespace: flow?.namespace ?? '', flowId: flow?.id ?? '' }),
          state: ['SUCCESS', 'WARNING', 'FAILED'],
          sort: ['state.startDate:desc'],
          size: 1,
        },
        signal,
        failures: 'handled',
      });
      const [last] = results;
      if (!last) return null;
      const { taskRunList = [] } = await readExecution(last.id, { signal, failures: 'handled' });
      return taskRunList.flatMap(toFixture);
    },
    staleTime: 30_000,
    retry: false,
  });
  return data ?? undefined;
}

function toFixture({ taskId, value, outputs, state }: TaskRun): TaskFixture[] {
  const ended = state.current;
  if (ended !== 'SUCCESS' && ended !== 'WARNING') return [];
  return [
    {
      id: taskId,
      outputs: outputs ?? {},
      from: 'execution',
      ...(value === undefined ? {} : { value }),
    },
  ];
}
