import { createCatalogue, type Definition, loadedFamily, type PluginCatalogue } from '@millrace/plugin-kit';
import { families } from './index.ts';

export { exampleProperties } from './testing/exampleProperties.ts';
export { canRun } from './testing/runExample.ts';

/** Every built-in type with its code loaded. */
export const allDefinitions: readonly Definition[] = families.flatMap(({ types }) => types);

export const createFullCatalogue = (): PluginCatalogue => createCatalogue(families.map(loadedFamily));
