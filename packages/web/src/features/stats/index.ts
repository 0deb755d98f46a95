export {
  bucketName,
  executionBuckets,
  fitted,
  levelSeries,
  logBuckets,
  rangeOf,
  stateOrder,
  stateSeries,
} from './buckets.ts';
export { ExecutionsChart, ListChart, LogsChart } from './ListChart.tsx';
export {
  dailyByFlowQuery,
  dailyExecutionsQuery,
  dailyLogsQuery,
  executionsByNamespaceQuery,
  latestByFlowQuery,
  summaryQuery,
  useQueryWithStats,
} from './queries.ts';
