import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  createCatalogue,
  type Family,
  type FamilySource,
  type FamilySummary,
  lazyFamily,
  loadedFamily,
  type PluginCatalogue,
} from '@millrace/plugin-kit';

/** Written by the build: the types of each family, so that its code loads only when one of them is used. */
const listUrl = new URL('./families.json', import.meta.url);

/** The families that the product ships with. A build lists them in a file; sources are loaded as they are. */
export async function productFamilies(): Promise<readonly FamilySource[]> {
  if (existsSync(listUrl)) return readBuiltFamilies();
  const { families } = await import('@millrace/plugins');
  return families.map(loadedFamily);
}

/** The catalogue without the user's own plugins, for commands that need no server. */
export const openProductCatalogue = async (): Promise<PluginCatalogue> =>
  createCatalogue(await productFamilies());

function readBuiltFamilies(): readonly FamilySource[] {
  const summaries: readonly FamilySummary[] = JSON.parse(readFileSync(listUrl, 'utf8'));
  const require = createRequire(import.meta.url);
  return summaries.map((summary) =>
    lazyFamily(summary, () => {
      const module: Readonly<Record<string, Family>> = require(`./family-${summary.name}.js`);
      const family = module[`${summary.name}Family`];
      if (!family)
        throw new Error(`The build of the plugin family ${summary.name} is incomplete. Run "npm run build".`);
      return family;
    }),
  );
}
