export * from './actor.ts';
export * from './alert.ts';
export type { ServiceInstance } from './api/cluster.ts';
export type { ConcurrencyLimit } from './api/concurrencyLimits.ts';
export type { CurrentTask, FlowGrid, GridCell, GridExecution, GridTask } from './api/flowGrid.ts';
export * from './api/index.ts';
export type {
  InstanceAction,
  InstanceHealth,
  InstanceQueues,
  InstanceRetention,
  InstanceScheduler,
  InstanceServer,
  RunningTask,
} from './api/instance.ts';
export type { Configuration } from './api/product.ts';
export type * from './blobStore.ts';
export * from './bulk.ts';
export * from './calendar.ts';
export * from './chartWords.ts';
export * from './dashboard.ts';
export * from './endpoint.ts';
export * from './endpoints.ts';
export * from './error.ts';
export * from './execution.ts';
export * from './executionEvent.ts';
export * from './file.ts';
export * from './flow.ts';
export * from './flowTest.ts';
export * from './graph.ts';
export * from './inbox.ts';
export * from './issue.ts';
export * from './job.ts';
export * from './kv.ts';
export * from './label.ts';
export * from './log.ts';
export * from './maintenance.ts';
export * from './metric.ts';
export * from './namespace.ts';
export * from './packedTaskRuns.ts';
export * from './paging.ts';
export * from './record.ts';
export * from './state.ts';
export * from './stateTimes.ts';
export * from './statistics.ts';
export * from './template.ts';
export * from './tenant.ts';
export * from './topology.ts';
export * from './trigger.ts';
export * from './waiting.ts';
export * from './worstState.ts';
