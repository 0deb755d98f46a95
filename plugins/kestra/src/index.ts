import { type Family, lineIcon } from '@millrace/plugin-kit';
import {
  countExecutions,
  deleteExecution,
  killExecution,
  queryExecutions,
  resumeExecution,
} from './executions.ts';
import {
  exportFlows,
  exportFlowsById,
  fetchLogs,
  listFlows,
  listNamespaces,
  namespacesWithFlows,
  toggleTrigger,
} from './flowsAndMore.ts';
import { runTest, runTests } from './runTests.ts';
import { scheduleMonitor } from './scheduleMonitor.ts';

/** The product's own API as tasks, for this server or another one. */
export const kestraFamily: Family = {
  name: 'kestra',
  groups: [
    {
      group: 'kestra',
      title: 'Server API',
      description: 'Use the API of this or another server: executions, flows, logs, namespaces and triggers.',
      icon: lineIcon('M4 5h16v6H4z', 'M4 13h16v6H4z', 'M7 8h.1', 'M7 16h.1', 'M11 8h6', 'M11 16h6'),
      categories: ['CORE'],
    },
  ],
  types: [
    countExecutions,
    queryExecutions,
    killExecution,
    deleteExecution,
    resumeExecution,
    listFlows,
    exportFlows,
    exportFlowsById,
    fetchLogs,
    listNamespaces,
    namespacesWithFlows,
    toggleTrigger,
    scheduleMonitor,
    runTest,
    runTests,
  ],
};
