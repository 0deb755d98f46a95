import {
  createCatalogue,
  type Definition,
  type LoadedPlugin,
  loadPlugins,
  messageOf,
  type PluginCatalogue,
} from '@millrace/plugin-kit';
import { coreDefinitionGroups, coreDefinitions } from '@millrace/plugins';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';

/** The types of the product and of the user's plugins. A plugin that cannot be loaded never keeps the server from starting. */
export async function openCatalogue(
  { folder, loadTimeoutMs }: Config['plugins'],
  log: ProcessLog,
  known: readonly Definition[] = coreDefinitions,
): Promise<PluginCatalogue> {
  const plugins = folder === undefined ? [] : await load(folder, loadTimeoutMs, known, log);
  return createCatalogue(
    [...known, ...plugins.flatMap(({ definitions }) => definitions)],
    [...coreDefinitionGroups, ...plugins.flatMap(({ groups }) => groups)],
    plugins,
  );
}

async function load(
  folder: string,
  timeoutMs: number,
  known: readonly Definition[],
  log: ProcessLog,
): Promise<readonly LoadedPlugin[]> {
  try {
    const plugins = await loadPlugins(folder, { timeoutMs, known });
    for (const { name, version, definitions, error } of plugins) {
      if (error === undefined) log.info('A plugin was loaded.', { name, version, types: definitions.length });
      else log.error('A plugin could not be loaded.', { name, version, reason: error });
    }
    return plugins;
  } catch (error) {
    const reason = messageOf(error);
    log.error('The folder of plugins cannot be read.', { folder, reason });
    return [{ name: folder, version: '', license: '', definitions: [], groups: [], error: reason }];
  }
}
