import { defineData } from './dataFilter.ts';

const executions = [
  'ID',
  'NAMESPACE',
  'FLOW_ID',
  'FLOW_REVISION',
  'STATE',
  'DURATION',
  'LABELS',
  'START_DATE',
  'END_DATE',
] as const;
const logs = [
  'NAMESPACE',
  'FLOW_ID',
  'EXECUTION_ID',
  'TASK_ID',
  'DATE',
  'TASK_RUN_ID',
  'ATTEMPT_NUMBER',
  'TRIGGER_ID',
  'LEVEL',
  'MESSAGE',
] as const;
const metrics = [
  'NAMESPACE',
  'FLOW_ID',
  'TASK_ID',
  'EXECUTION_ID',
  'TASK_RUN_ID',
  'TYPE',
  'NAME',
  'VALUE',
  'DATE',
] as const;

const flows = ['ID', 'NAMESPACE', 'REVISION'] as const;
const triggers = [
  'ID',
  'NAMESPACE',
  'FLOW_ID',
  'TRIGGER_ID',
  'EXECUTION_ID',
  'NEXT_EXECUTION_DATE',
  'WORKER_ID',
] as const;

/** Everything that charts can be made of. */
export const dataFilters = [
  defineData({ name: 'Executions', title: 'Executions', fields: executions }),
  defineData({ name: 'Logs', title: 'Log lines', fields: logs }),
  defineData({ name: 'Metrics', title: 'Metrics', fields: metrics }),
  defineData({ name: 'Flows', title: 'Flows', fields: flows }),
  defineData({ name: 'Triggers', title: 'Triggers', fields: triggers }),
  defineData({ name: 'FlowsKPI', title: 'A number of flows', fields: flows, isKpi: true }),
  defineData({ name: 'ExecutionsKPI', title: 'A number of executions', fields: executions, isKpi: true }),
  defineData({ name: 'LogsKPI', title: 'A number of log lines', fields: logs, isKpi: true }),
  defineData({ name: 'MetricsKPI', title: 'A number of metrics', fields: metrics, isKpi: true }),
];
