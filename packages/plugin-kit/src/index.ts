export type { DynamicTaskRun } from '@millrace/engine';
export { batchesOf } from './batches.ts';
export * from './catalogue.ts';
export {
  chartData,
  chartWords,
  dashboardOf,
  header,
  legend,
  pagination,
  tooltip,
} from './chartProperties.ts';
export { checkProperties } from './checkProperties.ts';
export { branches, ownProperties } from './commonProperties.ts';
export type * from './context.ts';
export { hideCredentials, isCredential } from './credentials.ts';
export { dataProperties, type Fields } from './dataProperties.ts';
export * from './define.ts';
export type * from './definition.ts';
export { commonSchema, documentInputType, documentType, type PluginDocument } from './documentation.ts';
export * from './dynamic.ts';
export { messageOf, TaskFailed, Warning, warning } from './failure.ts';
export * from './familySource.ts';
export {
  type FetchedRows,
  type FetchType,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  toJsonValue,
} from './fetchRows.ts';
export { inputFiles, namespaceFiles, outputFiles } from './fileProperties.ts';
export { toAllowedPath } from './files/allowedPaths.ts';
export { readCsvRecords, toCsvLine } from './files/csvRecords.ts';
export { type FileSource, readFileSources } from './files/fileSources.ts';
export { createGlobMatcher } from './files/glob.ts';
export { ownPrefix, readInside, toInnerPath, walkInside, writeInside } from './files/insideFolder.ts';
export { toIonText } from './files/ionText.ts';
export { readItems } from './files/items.ts';
export { type JsonValueAt, readJsonValues } from './files/jsonValues.ts';
export { toLogFile } from './files/logFile.ts';
export { parseLocalTime, readIonText, readJsonText } from './files/readIonText.ts';
export { readRows, toRow } from './files/rows.ts';
export { parseSize, splitFile } from './files/splitFile.ts';
export { isStorageUri, nameOfUri, readText } from './files/storageUri.ts';
export { chunksOf, type RowsWriter, readTypedRows, writeTypedRows } from './files/typedRows.ts';
export {
  collectOutputFiles,
  matchingFiles,
  readNamespaceFilesChoice,
  writeInputFiles,
  writeNamespaceFiles,
} from './files/workingFiles.ts';
export { dashboardProperties } from './flowProperties.ts';
export {
  flowOutline,
  flowSchema,
  type SchemaKind,
  schemaKinds,
  type TypeSchema,
  typeSchemas,
} from './flowSchema.ts';
export { createFullMatcher } from './fullMatcher.ts';
export {
  authorizationOf,
  type HttpOptions,
  httpOptions,
  httpOptionsWithHeaders,
  isAllowedStatus,
  outboundOptions,
} from './http/httpOptions.ts';
export { retryAfterMs, sendWithinLimits } from './http/rateLimit.ts';
export { readSse, type SseEvent } from './http/sseEvents.ts';
export { lineIcon } from './icon.ts';
export { coloredGroups } from './iconColors.ts';
export { importModule } from './importModule.ts';
export { collect, inParallel } from './inParallel.ts';
export { type JsonSchema, toJsonSchema } from './jsonSchema.ts';
export {
  dropMissing,
  isMap,
  type JsonMap,
  mapIn,
  mapsIn,
  readJson,
  readJsonMap,
  textOf,
} from './jsonText.ts';
export { type LoadedPlugin, type LoadOptions, loadPlugins } from './load/loadPlugins.ts';
export { logExporterExample } from './logExporterExample.ts';
export { createMasker, type Masker } from './masker.ts';
export { MessageBuffer } from './messages/messageBuffer.ts';
export { asMessage, readMessages } from './messages/readMessages.ts';
export {
  deserializeMessage,
  type MessageSerde,
  serializeMessage,
  toOutputValue,
} from './messages/serdes.ts';
export {
  type ConsumeLimits,
  limitProperties,
  type StoreOptions,
  storeMessages,
} from './messages/storeMessages.ts';
export { mockOutputs } from './mockOutputs.ts';
export { nearestType } from './nearestType.ts';
export { withAbortableSockets } from './outbound/abortableSockets.ts';
export { createOutboundRules, type OutboundPolicy, type OutboundRules } from './outbound/policy.ts';
export { openRelay, type Relay } from './outbound/relay.ts';
export { createOutboundClient, type OutboundClient } from './outbound/send.ts';
export { createPart, createParts, hasOwnType } from './parts.ts';
export * from './pluginList.ts';
export { findLostAttempt, inRemoteFolder, remoteJobName } from './remoteJob.ts';
export { allOrNone, oneOf } from './requirement.ts';
export { type OutputCache, readInput, renderProperties, runTask, type TaskResult } from './runTask.ts';
export { cutText, type Outcome, type Summary, summarize, summaryProperties } from './summary/summary.ts';
export { escapeHtml, summaryHtml, summaryText } from './summary/summaryMail.ts';
export { listTaskTypes, taskTypesOf } from './taskTypes.ts';
export { testCondition } from './testCondition.ts';
export {
  type Candidate,
  type Change,
  type ChangeType,
  openTriggerState,
  TriggerState,
  type TriggerStateInput,
  triggerStateProperties,
} from './triggerState.ts';
export { describeAllTypes } from './typesPage.ts';
export type * from './values.ts';
export { undoWhenKilled, unlessKilled, waitFor } from './waitFor.ts';
export { findElement, findElements, membersAt, readXml, textAt, toXml, type XmlElement } from './xml.ts';
export { loadZstdCompress } from './zstd.ts';
