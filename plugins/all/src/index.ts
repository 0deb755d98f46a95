import { coreFamily } from '@millrace/plugin-core';
import { gitFamily } from '@millrace/plugin-git';
import {
  createCatalogue,
  type Definition,
  type Family,
  type Group,
  type PluginCatalogue,
} from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { serdesFamily } from '@millrace/plugin-serdes';

/** The families that the product ships with. A new package under `plugins/` adds one line here. */
export const families: readonly Family[] = [coreFamily, scriptsFamily, serdesFamily, gitFamily];

export const coreDefinitions: readonly Definition[] = families.flatMap(({ types }) => types);
export const coreDefinitionGroups: readonly Group[] = families.flatMap(({ groups }) => groups);

/** The catalogue of a server without the user's own plugins. */
export const createCoreCatalogue = (): PluginCatalogue =>
  createCatalogue(coreDefinitions, coreDefinitionGroups);
