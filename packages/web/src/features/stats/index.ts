export {
  bucketName,
  executionBuckets,
  levelSeries,
  logBuckets,
  rangeOf,
  stateOrder,
  stateSeries,
} from './buckets.ts';
export { ExecutionsChart } from './ExecutionsChart.tsx';
export { ListChart } from './ListChart.tsx';
export { LogsChart } from './LogsChart.tsx';
export {
  dailyByFlowQuery,
  dailyExecutionsQuery,
  dailyLogsQuery,
  executionsByNamespaceQuery,
  latestByFlowQuery,
  summaryQuery,
} from './queries.ts';
export { useQueryWithStats } from './useQueryWithStats.ts';
