import { chartFields } from '@millrace/contract';
import { defineData } from './dataFilter.ts';

const { executions, logs, metrics, flows, triggers } = chartFields;

/** All data sources for charts. */
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
