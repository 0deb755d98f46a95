import type { Definition, Family } from '@millrace/plugin-kit';
import { conditions } from './condition/index.ts';
import { bar } from './dashboard/bar.ts';
import { dataFilters } from './dashboard/data.ts';
import { kpi } from './dashboard/kpi.ts';
import { markdown } from './dashboard/markdown.ts';
import { pie } from './dashboard/pie.ts';
import { table } from './dashboard/table.ts';
import { timeSeries } from './dashboard/timeSeries.ts';
import { echo } from './debug/echo.ts';
import { returnValue } from './debug/return.ts';
import { assert } from './execution/assert.ts';
import { count } from './execution/count.ts';
import { exit } from './execution/exit.ts';
import { fail } from './execution/fail.ts';
import { labelsTask } from './execution/labels.ts';
import { purgeExecutions } from './execution/purgeExecutions.ts';
import { resume } from './execution/resume.ts';
import { setVariables } from './execution/setVariables.ts';
import { unsetVariables } from './execution/unsetVariables.ts';
import { allowFailure } from './flow/allowFailure.ts';
import { dag } from './flow/dag.ts';
import { eachParallel } from './flow/eachParallel.ts';
import { eachSequential } from './flow/eachSequential.ts';
import { forEach } from './flow/forEach.ts';
import { forEachItem } from './flow/forEachItem.ts';
import { forEachItemMerge, forEachItemSplit } from './flow/forEachItemStages.ts';
import { ifTask } from './flow/if.ts';
import { loopUntil } from './flow/loopUntil.ts';
import { parallel } from './flow/parallel.ts';
import { pause } from './flow/pause.ts';
import { sequential } from './flow/sequential.ts';
import { sleep } from './flow/sleep.ts';
import { subflow } from './flow/subflow.ts';
import { switchTask } from './flow/switch.ts';
import { template } from './flow/template.ts';
import { workingDirectory } from './flow/workingDirectory.ts';
import { coreGroups } from './groups.ts';
import { download } from './http/download.ts';
import { request } from './http/request.ts';
import { sseRequest } from './http/sseRequest.ts';
import { httpTrigger } from './http/trigger.ts';
import { kvDelete } from './kv/delete.ts';
import { kvGet } from './kv/get.ts';
import { kvGetKeys } from './kv/getKeys.ts';
import { purgeKv } from './kv/purgeKv.ts';
import { kvSet } from './kv/set.ts';
import { fileExporter, httpExporter } from './log/exporters.ts';
import { fetchLogs } from './log/fetch.ts';
import { log } from './log/log.ts';
import { logShipper } from './log/logShipper.ts';
import { purgeLogs } from './log/purgeLogs.ts';
import { syslogExporter } from './log/syslogExporter.ts';
import { publishMetric } from './metric/publish.ts';
import { deleteFiles } from './namespace/deleteFiles.ts';
import { downloadFiles } from './namespace/downloadFiles.ts';
import { purgeFiles } from './namespace/purgeFiles.ts';
import { uploadFiles } from './namespace/uploadFiles.ts';
import { outputValues } from './output/outputValues.ts';
import { stateDelete } from './state/delete.ts';
import { stateGet } from './state/get.ts';
import { stateSet } from './state/set.ts';
import { localStorage, s3Storage } from './storage/backends.ts';
import { concat } from './storage/concat.ts';
import { deduplicateItems } from './storage/deduplicateItems.ts';
import { deleteFile } from './storage/delete.ts';
import { filterItems } from './storage/filterItems.ts';
import { localFiles } from './storage/localFiles.ts';
import { purgeCurrentExecutionFiles } from './storage/purgeCurrentExecutionFiles.ts';
import { reverse } from './storage/reverse.ts';
import { size } from './storage/size.ts';
import { split } from './storage/split.ts';
import { write } from './storage/write.ts';
import { templatedTask } from './templating/templatedTask.ts';
import { flow } from './trigger/flow.ts';
import { schedule } from './trigger/schedule.ts';
import { scheduleOnDates } from './trigger/scheduleOnDates.ts';
import { toggle } from './trigger/toggle.ts';
import { webhook } from './trigger/webhook.ts';

/** Every type of the group `core`. */
const types: readonly Definition[] = [
  ...conditions,
  ...dataFilters,
  allowFailure,
  assert,
  bar,
  concat,
  count,
  dag,
  deduplicateItems,
  deleteFile,
  deleteFiles,
  download,
  downloadFiles,
  eachParallel,
  eachSequential,
  echo,
  exit,
  fail,
  fetchLogs,
  fileExporter,
  filterItems,
  flow,
  forEach,
  forEachItem,
  forEachItemSplit,
  forEachItemMerge,
  httpExporter,
  syslogExporter,
  httpTrigger,
  ifTask,
  kpi,
  kvDelete,
  kvGet,
  kvGetKeys,
  kvSet,
  labelsTask,
  localFiles,
  localStorage,
  log,
  logShipper,
  loopUntil,
  markdown,
  outputValues,
  parallel,
  pause,
  pie,
  publishMetric,
  purgeCurrentExecutionFiles,
  purgeExecutions,
  purgeFiles,
  purgeKv,
  purgeLogs,
  request,
  resume,
  returnValue,
  reverse,
  s3Storage,
  schedule,
  scheduleOnDates,
  sequential,
  setVariables,
  size,
  sleep,
  split,
  sseRequest,
  stateDelete,
  stateGet,
  stateSet,
  subflow,
  switchTask,
  table,
  template,
  templatedTask,
  timeSeries,
  toggle,
  unsetVariables,
  uploadFiles,
  webhook,
  workingDirectory,
  write,
];

/** Types that need only Millrace itself. */
export const coreFamily: Family = { name: 'core', groups: coreGroups, types };
