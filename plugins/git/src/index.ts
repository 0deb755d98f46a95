import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { clone } from './clone.ts';
import { namespaceSync, tenantSync } from './namespaceSync.ts';
import { push } from './push.ts';
import { pushDashboards } from './pushDashboards.ts';
import { pushExecutionFiles } from './pushExecutionFiles.ts';
import { pushFlows } from './pushFlows.ts';
import { pushNamespaceFiles } from './pushNamespaceFiles.ts';
import { sync } from './sync.ts';
import { syncDashboards } from './syncDashboards.ts';
import { syncFlow } from './syncFlow.ts';
import { syncFlows } from './syncFlows.ts';
import { syncNamespaceFiles } from './syncNamespaceFiles.ts';

/** Clone repositories, and keep flows, files and dashboards in Git. */
export const gitFamily: Family = {
  name: 'git',
  groups: [
    {
      group: 'git',
      title: 'Git',
      description: 'Clone repositories, and keep flows, files and dashboards in Git.',
      icon: lineIcon(
        'M7 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M7 20.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M17 10.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M7 7.500v9',
        'M17 10.500c0 4-10 2-10 6',
      ),
      categories: ['DEVELOPMENT'],
    },
  ],
  types: [
    clone,
    syncFlows,
    syncFlow,
    syncNamespaceFiles,
    syncDashboards,
    pushFlows,
    pushNamespaceFiles,
    pushExecutionFiles,
    pushDashboards,
    namespaceSync,
    tenantSync,
    push,
    sync,
  ],
};
