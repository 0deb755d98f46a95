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
export { dataProperties, type Fields } from './dataProperties.ts';
export * from './define.ts';
export type * from './definition.ts';
export { commonSchema, documentInputType, documentType, type PluginDocument } from './documentation.ts';
export * from './dynamic.ts';
export { messageOf, TaskFailed, Warning, warning } from './failure.ts';
export * from './familySource.ts';
export { inputFiles, namespaceFiles, outputFiles } from './fileProperties.ts';
export { toAllowedPath } from './files/allowedPaths.ts';
export { createGlobMatcher } from './files/glob.ts';
export { ownPrefix, readInside, toInnerPath, walkInside, writeInside } from './files/insideFolder.ts';
export { toIonText } from './files/ionText.ts';
export { readItems } from './files/items.ts';
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
export { lineIcon } from './icon.ts';
export { importModule } from './importModule.ts';
export type { JsonSchema } from './jsonSchema.ts';
export { type LoadedPlugin, type LoadOptions, loadPlugins } from './load/loadPlugins.ts';
export { createMasker, type Masker } from './masker.ts';
export { mockOutputs } from './mockOutputs.ts';
export { nearestType } from './nearestType.ts';
export { createOutboundRules, type OutboundPolicy, type OutboundRules } from './outbound/policy.ts';
export { openRelay, type Relay } from './outbound/relay.ts';
export { createOutboundClient, type OutboundClient } from './outbound/send.ts';
export * from './pluginList.ts';
export { allOrNone, oneOf } from './requirement.ts';
export { type OutputCache, readInput, renderProperties, runTask, type TaskResult } from './runTask.ts';
export { cutText, type Outcome, type Summary, summarize, summaryProperties } from './summary/summary.ts';
export { escapeHtml, summaryHtml, summaryText } from './summary/summaryMail.ts';
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
export { loadZstdCompress } from './zstd.ts';
