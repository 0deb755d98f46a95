import type { plugins } from '@millrace/contract';

/** The kinds of things that a plugin brings, in the order of its page. */
export const pluginKinds = [
  'tasks',
  'triggers',
  'conditions',
  'controllers',
  'storages',
  'taskRunners',
  'charts',
  'dataFilters',
  'logExporters',
  'additionalPlugins',
] as const;
export type PluginKind = (typeof pluginKinds)[number];

export interface PluginElements {
  kind: PluginKind;
  types: string[];
}

/** What a plugin brings, by kind; with a text, only what contains it. */
export function elementsOf(plugin: plugins.Plugin, text = ''): PluginElements[] {
  const wanted = text.trim().toLowerCase();
  const fitsWhole = plugin.title.toLowerCase().includes(wanted);
  return pluginKinds.flatMap((kind) => {
    const types = plugin[kind]
      .map(({ cls }) => cls)
      .filter((cls) => fitsWhole || cls.toLowerCase().includes(wanted));
    return types.length > 0 ? [{ kind, types }] : [];
  });
}

/** A group lists its own parts after itself, so only parts that have types are shown, each type once. */
export function groupsOf(
  all: readonly plugins.Plugin[],
  text = '',
): { plugin: plugins.Plugin; elements: PluginElements[] }[] {
  const seen = new Set<string>();
  const parts = all.filter(({ subGroup }) => subGroup !== undefined);
  const wholes = all.filter(({ subGroup }) => subGroup === undefined);
  return [...parts, ...wholes]
    .flatMap((plugin) => {
      const elements = elementsOf(plugin, text).flatMap(({ kind, types }) => {
        const fresh = types.filter((type) => !seen.has(`${kind} ${type}`));
        for (const type of fresh) seen.add(`${kind} ${type}`);
        return fresh.length > 0 ? [{ kind, types: fresh }] : [];
      });
      return elements.length > 0 ? [{ plugin, elements }] : [];
    })
    .toSorted((a, b) => a.plugin.title.localeCompare(b.plugin.title));
}

/** Categories in the order of the page; any other category counts as OTHER. */
const categories = [
  'CORE',
  'SCRIPT',
  'DATA',
  'DATABASE',
  'STORAGE',
  'MESSAGING',
  'ALERTING',
  'AI',
  'CLOUD',
  'INFRASTRUCTURE',
  'DEVELOPMENT',
  'BUSINESS',
  'OTHER',
] as const;
export type PluginCategory = (typeof categories)[number];

const isCategory = (name: string | undefined): name is PluginCategory =>
  categories.some((category) => category === name);

/** The groups of the page under the categories that have any. */
export function byCategory<G extends { plugin: plugins.Plugin }>(
  groups: readonly G[],
): { category: PluginCategory; groups: G[] }[] {
  const categoryOf = ({
    plugin: {
      categories: [first],
    },
  }: G): PluginCategory => (isCategory(first) ? first : 'OTHER');
  return categories.flatMap((category) => {
    const inside = groups.filter((group) => categoryOf(group) === category);
    return inside.length > 0 ? [{ category, groups: inside }] : [];
  });
}

/** How many different types there are. */
export const countTypes = (all: readonly plugins.Plugin[]): number =>
  new Set(all.flatMap((plugin) => elementsOf(plugin).flatMap(({ types }) => types))).size;

export const shortName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);
