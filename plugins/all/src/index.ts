import { coreGroups, coreTypes } from '@millrace/plugin-core';
import { createCatalogue, type Definition, type Group, type PluginCatalogue } from '@millrace/plugin-kit';
import { scriptGroups, scriptTypes } from '@millrace/plugin-scripts';

/** Every type that the product ships with. */
export const coreDefinitions: readonly Definition[] = [...coreTypes, ...scriptTypes];
export const coreDefinitionGroups: readonly Group[] = [...coreGroups, ...scriptGroups];

/** The catalogue of a server without the user's own plugins. */
export const createCoreCatalogue = (): PluginCatalogue =>
  createCatalogue(coreDefinitions, coreDefinitionGroups);
