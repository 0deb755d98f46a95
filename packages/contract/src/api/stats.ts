import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';
import { DailyExecutionStatistics, ExecutionCountStatistics, LogStatistics } from '../statistics.ts';

const FlowIds = z.array(z.looseObject({ namespace: z.string(), id: z.string() }));
const Window = {
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  /** The time zone in which days begin; by default that of the server. */
  timeZone: z.string().nullish(),
};
const Texts = z.union([z.string(), z.array(z.string())]);

/**
 * The bodies accept the same filters as the queries of the lists, also as `filters[field][OPERATION]`. The
 * default window is the last thirty days; its width decides whether buckets are months, weeks, days, hours or
 * minutes.
 */
const ExecutionStatsRequest = z.looseObject({
  ...Window,
  q: z.string().nullish(),
  namespace: z.string().nullish(),
  flowId: z.string().nullish(),
  scope: Texts.nullish(),
  state: Texts.nullish(),
});

const stats = { method: 'POST', status: 200 } as const;

export const getSummary = endpoint({
  ...stats,
  path: '/stats/summary',
  summary: 'Counts flows and triggers',
  body: z.looseObject({ ...Window, namespace: z.string().nullish() }),
  reply: z.object({ flows: z.number().int(), triggers: z.number().int() }),
});

export const getDailyExecutions = endpoint({
  ...stats,
  path: '/stats/executions/daily',
  summary: 'Counts executions by state and adds up their durations, per bucket of time',
  body: ExecutionStatsRequest,
  reply: z.array(DailyExecutionStatistics),
});

export const getDailyTaskRuns = endpoint({
  ...stats,
  path: '/stats/taskruns/daily',
  summary: 'Counts task runs by state and adds up their durations, per bucket of time',
  body: ExecutionStatsRequest,
  reply: z.array(DailyExecutionStatistics),
});

export const getDailyExecutionsByFlow = endpoint({
  ...stats,
  path: '/stats/executions/daily/group-by-flow',
  summary: 'The same per namespace and flow; with `namespaceOnly` per namespace, under the flow `*`',
  body: z.looseObject({
    ...Window,
    q: z.string().nullish(),
    namespace: z.string().nullish(),
    flowId: z.string().nullish(),
    flows: FlowIds.nullish(),
    namespaceOnly: z.boolean().nullish(),
  }),
  reply: z.record(z.string(), z.record(z.string(), z.array(DailyExecutionStatistics))),
});

export const getExecutionsByNamespace = endpoint({
  ...stats,
  path: '/stats/executions/daily/group-by-namespace',
  summary: 'Counts executions by state, per namespace',
  body: z.looseObject({ ...Window, namespace: z.string().nullish() }),
  reply: z.record(z.string(), ExecutionCountStatistics),
});

export const getLatestExecutionsByFlow = endpoint({
  ...stats,
  path: '/stats/executions/latest/group-by-flow',
  summary: 'Reads the execution of each flow that ended last',
  body: z.looseObject({ flows: FlowIds.nullish() }),
  reply: z.array(Execution),
});

export const getDailyLogs = endpoint({
  ...stats,
  path: '/stats/logs/daily',
  summary: 'Counts log entries by level, per bucket of time',
  body: z.looseObject({
    ...Window,
    q: z.string().nullish(),
    namespace: z.string().nullish(),
    flowId: z.string().nullish(),
    logLevel: z.string().nullish(),
  }),
  reply: z.array(LogStatistics),
});

/** Later clients call this instead of `stats/executions/latest/group-by-flow`. */
export const getLatestExecutions = endpoint({
  ...stats,
  path: '/executions/latest',
  summary: 'Reads state and start of the latest execution of each flow',
  body: FlowIds,
  reply: z.array(
    z.object({
      id: z.string(),
      flowId: z.string(),
      namespace: z.string(),
      startDate: z.string(),
      status: z.string(),
    }),
  ),
});
