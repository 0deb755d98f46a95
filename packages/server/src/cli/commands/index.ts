import type { Command } from '../command.ts';
import { activate } from './activate.ts';
import { backup } from './backup.ts';
import { bench } from './bench.ts';
import { completionOf } from './completion.ts';
import { doctor } from './doctor.ts';
import {
  executionFollow,
  executionKill,
  executionLogs,
  executionReplay,
  executionRestart,
  executionRun,
} from './execution.ts';
import { flowDelete } from './flowDelete.ts';
import { flowDot } from './flowDot.ts';
import { flowExport } from './flowExport.ts';
import { flowNamespaceUpdate } from './flowNamespaceUpdate.ts';
import { flowCreate, flowUpdate } from './flowSave.ts';
import { flowTest } from './flowTest.ts';
import { flowValidate } from './flowValidate.ts';
import {
  instanceStatus,
  maintenanceEnd,
  maintenanceStart,
  schedulerPause,
  schedulerResume,
  workerDrain,
  workerResume,
} from './instance.ts';
import { filesDelete, filesGet, filesList, filesUpdate } from './namespaceFiles.ts';
import { kvDelete, kvGet, kvList, kvSet, kvUpdate } from './namespaceKv.ts';
import { pluginsDoc, pluginsList } from './plugins.ts';
import { restore } from './restore.ts';
import { server } from './server.ts';

/** All commands. A new command is a file in this folder and a line here. */
export const commands: readonly Command[] = [
  server,
  activate,
  backup,
  restore,
  doctor,
  bench,
  flowValidate,
  flowCreate,
  flowUpdate,
  flowDelete,
  flowExport,
  flowTest,
  flowDot,
  flowNamespaceUpdate,
  executionRun,
  executionFollow,
  executionLogs,
  executionKill,
  executionRestart,
  executionReplay,
  filesList,
  filesGet,
  filesUpdate,
  filesDelete,
  kvList,
  kvGet,
  kvSet,
  kvUpdate,
  kvDelete,
  instanceStatus,
  maintenanceStart,
  maintenanceEnd,
  schedulerPause,
  schedulerResume,
  workerDrain,
  workerResume,
  pluginsList,
  pluginsDoc,
  completionOf(() => commands),
];
