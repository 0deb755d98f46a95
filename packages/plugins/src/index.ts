import { coreGroups } from './core/groups.ts';
import { coreTypes } from './core/index.ts';
import { createCatalogue, type PluginCatalogue } from './kit/catalogue.ts';
import type { Definition, Group } from './kit/definition.ts';
import { scriptGroups } from './scripts/groups.ts';
import { scriptTypes } from './scripts/index.ts';

export { isPublicHoliday } from './core/condition/holidayCalendar.ts';
export { askHttp } from './core/http/askHttp.ts';
export { createOutboundRules, type OutboundPolicy, type OutboundRules } from './core/http/outbound/policy.ts';
export { createOutboundClient, type OutboundClient } from './core/http/outbound/send.ts';
export * from './kit/catalogue.ts';
export { checkProperties } from './kit/checkProperties.ts';
export { ownProperties } from './kit/commonProperties.ts';
export type * from './kit/context.ts';
export * from './kit/define.ts';
export type * from './kit/definition.ts';
export { commonSchema, documentInputType, documentType, type PluginDocument } from './kit/documentation.ts';
export { messageOf, TaskFailed, Warning, warning } from './kit/failure.ts';
export { readInside, writeInside } from './kit/files/insideFolder.ts';
export { splitFile } from './kit/files/splitFile.ts';
export {
  collectOutputFiles,
  matchingFiles,
  readNamespaceFilesChoice,
  writeInputFiles,
  writeNamespaceFiles,
} from './kit/files/workingFiles.ts';
export { dashboardProperties } from './kit/flowProperties.ts';
export { editorSchema, type SchemaKind, schemaKinds } from './kit/flowSchema.ts';
export { createMasker, type Masker } from './kit/masker.ts';
export { mockOutputs } from './kit/mockOutputs.ts';
export * from './kit/pluginList.ts';
export { type OutputCache, readInput, renderProperties, runTask, type TaskResult } from './kit/runTask.ts';
export { testCondition } from './kit/testCondition.ts';
export { describeAllTypes } from './kit/typesPage.ts';
export { type LoadedPlugin, type LoadOptions, loadPlugins } from './load/loadPlugins.ts';
export { helperUrl } from './scripts/process/helperUrl.ts';
export { ProcessHelper, type ProcessHelperOptions, ProcessLost } from './scripts/process/processHelper.ts';

/** Every type that comes with the product. */
export const coreDefinitions: readonly Definition[] = [...coreTypes, ...scriptTypes];
export const coreDefinitionGroups: readonly Group[] = [...coreGroups, ...scriptGroups];

/** The catalogue of a server without further plugins. */
export const createCoreCatalogue = (): PluginCatalogue =>
  createCatalogue(coreDefinitions, coreDefinitionGroups);
