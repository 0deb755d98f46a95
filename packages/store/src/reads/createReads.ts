import { aggregate } from '../aggregate/aggregate.ts';
import { sql } from '../filters/sql.ts';
import type { Store } from '../port/store.ts';
import { coalesceReads } from './coalesceReads.ts';
import { countTaskStates } from './countTaskStates.ts';
import { getDashboard, listDashboards } from './dashboards.ts';
import { countDocuments, getDocument, listDocuments } from './documents.ts';
import { listEvents, listTaskRuns } from './events.ts';
import { findExecutionByKey, getExecution, getExecutionRecord, openExecutions } from './executions.ts';
import { expiredExecutions, expiredLogs } from './expired.ts';
import { getFlow, listFlowNamespaces, listFlows, listRevisions, nextDraftRevision } from './flows.ts';
import { getFlowTest, listFlowTests } from './flowTests.ts';
import { getKv, listDataNamespaces, listKv } from './kv.ts';
import { countFlowsAndTriggers, latestExecutions } from './latest.ts';
import { listExecutions } from './listExecutions.ts';
import { listLogs, logsAround, searchLogs, walkLogs } from './logs.ts';
import { listMetricNames, listMetrics, listMetricTasks, searchMetrics, sumMetrics } from './metrics.ts';
import type { Queries } from './queries.ts';
import { getSessionToken } from './sessions.ts';
import { listStates, matchStates } from './states.ts';
import { executionStatistics, logStatistics, taskRunStatistics } from './statistics.ts';
import { searchTaskRuns } from './taskRuns.ts';
import { getTemplate, listTemplates } from './templates.ts';
import {
  dueTriggers,
  getSetting,
  getTrigger,
  listFlowTriggers,
  listTriggers,
  lockedTriggers,
} from './triggers.ts';
import { listWindows, openFlowEvents } from './windows.ts';

/** The read methods of the port, shared by both databases through `queries`. */
export type Reads = Omit<
  Store,
  'commit' | 'tidy' | 'onChange' | 'close' | 'describeDatabase' | 'slowQueries'
>;

export function createReads(queries: Queries): Reads {
  return {
    getExecution: (id) => getExecution(queries, id),
    getExecutionRecord: (id) => getExecutionRecord(queries, id),
    findExecutionByKey: (uniqueKey) => findExecutionByKey(queries, uniqueKey),
    listExecutions: (query) => listExecutions(queries, query),
    openExecutions: (after, limit) => openExecutions(queries, after, limit),
    listStates: (ids) => listStates(queries, ids),
    matchStates: (filters, after, limit) => matchStates(queries, filters, after, limit),
    listEvents: (executionId, query) => listEvents(queries, executionId, query),
    listTaskRuns: (executionId, ids) => listTaskRuns(queries, executionId, ids),
    listLogs: (query) => listLogs(queries, query),
    logsAround: (query) => logsAround(queries, query),
    searchLogs: (query) => searchLogs(queries, query),
    walkLogs: (query) => walkLogs(queries, query),
    listMetrics: (executionId) => listMetrics(queries, executionId),
    searchMetrics: (query) => searchMetrics(queries, query),
    listMetricNames: (namespace, flowId, taskId) => listMetricNames(queries, namespace, flowId, taskId),
    listMetricTasks: (namespace, flowId) => listMetricTasks(queries, namespace, flowId),
    sumMetrics: (query) => sumMetrics(queries, query),
    executionStatistics: (query) => executionStatistics(queries, query),
    taskRunStatistics: (query) => taskRunStatistics(queries, query),
    logStatistics: (query) => logStatistics(queries, query),
    latestExecutions: (flows, by) => latestExecutions(queries, flows, by),
    countFlowsAndTriggers: (namespace) => countFlowsAndTriggers(queries, namespace),
    aggregate: (query) => aggregate(queries, query),
    searchTaskRuns: (query) => searchTaskRuns(queries, query),
    countTaskStates: (executionIds, limit) => countTaskStates(queries, executionIds, limit),
    getFlow: (namespace, id, revision) => getFlow(queries, namespace, id, revision),
    listFlows: (query) => listFlows(queries, query),
    listRevisions: (namespace, id) => listRevisions(queries, namespace, id),
    nextDraftRevision: (namespace, id) => nextDraftRevision(queries, namespace, id),
    listFlowNamespaces: () => listFlowNamespaces(queries),
    // Every webhook call reads its trigger.
    getTrigger: coalesceReads((namespace: string, flowId: string, triggerId: string) =>
      getTrigger(queries, namespace, flowId, triggerId),
    ),
    listTriggers: (query) => listTriggers(queries, query),
    listFlowTriggers: (namespace, flowId) => listFlowTriggers(queries, namespace, flowId),
    lockedTriggers: (query) => lockedTriggers(queries, query),
    listWindows: (namespace, flowId, triggerId) => listWindows(queries, namespace, flowId, triggerId),
    openFlowEvents: (before, limit) => openFlowEvents(queries, before, limit),
    dueTriggers: (now, limit, from = 'all') => dueTriggers(queries, now, limit, from),
    getKv: (namespace, key) => getKv(queries, namespace, key),
    listKv: (query) => listKv(queries, query),
    listDataNamespaces: () => listDataNamespaces(queries),
    getTemplate: (namespace, id) => getTemplate(queries, namespace, id),
    listTemplates: (query) => listTemplates(queries, query),
    getSessionToken: (hash) => getSessionToken(queries, hash),
    getDashboard: (id) => getDashboard(queries, id),
    listDashboards: (query) => listDashboards(queries, query),
    getFlowTest: (namespace, id) => getFlowTest(queries, namespace, id),
    listFlowTests: (query) => listFlowTests(queries, query),
    expiredExecutions: (query) => expiredExecutions(queries, query),
    expiredLogs: (query) => expiredLogs(queries, query),
    getSetting: (key) => getSetting(queries, key),
    getDocument: (kind, id) => getDocument(queries, kind, id),
    listDocuments: (query) => listDocuments(queries, query),
    countDocuments: (query) => countDocuments(queries, query),
    ping: async () => {
      await queries.point(sql`SELECT 1 AS one`);
    },
  };
}
