import {
  createCatalogue,
  type FamilySource,
  type LoadedPlugin,
  loadedFamily,
  loadPlugins,
  messageOf,
  type PluginCatalogue,
} from '@millrace/plugin-kit';
import { ConfigError } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';

/**
 * The types of the product and of the user's plugins. A plugin that cannot be loaded never keeps the server from
 * starting.
 */
export async function openCatalogue(
  { folder, loadTimeoutMs, families: chosen }: Config['plugins'],
  log: ProcessLog,
  families: readonly FamilySource[],
): Promise<PluginCatalogue> {
  const known = chooseFamilies(families, chosen);
  const plugins = folder === undefined ? [] : await load(folder, loadTimeoutMs, known, log);
  return createCatalogue([...known, ...plugins.map(loadedFamily)], plugins);
}

/** The core is always there: no flow works without it. */
function chooseFamilies(
  families: readonly FamilySource[],
  chosen: readonly string[] | undefined,
): readonly FamilySource[] {
  if (chosen === undefined) return families;
  const unknown = chosen.find((name) => !families.some((family) => family.name === name));
  if (unknown !== undefined) {
    const names = families.map(({ name }) => name).join(', ');
    throw new ConfigError(
      `plugins.families names "${unknown}", which is not a plugin family. There are ${names}.`,
    );
  }
  return families.filter(({ name }) => name === 'core' || chosen.includes(name));
}

async function load(
  folder: string,
  timeoutMs: number,
  families: readonly FamilySource[],
  log: ProcessLog,
): Promise<readonly LoadedPlugin[]> {
  try {
    const known = families.flatMap(({ types }) => types);
    const plugins = await loadPlugins(folder, { timeoutMs, known });
    for (const { name, version, types, error } of plugins) {
      if (error === undefined) log.info('A plugin was loaded.', { name, version, types: types.length });
      else log.error('A plugin could not be loaded.', { name, version, reason: error });
    }
    return plugins;
  } catch (error) {
    const reason = messageOf(error);
    log.error('The folder of plugins cannot be read.', { folder, reason });
    return [{ name: folder, version: '', license: '', types: [], groups: [], error: reason }];
  }
}
