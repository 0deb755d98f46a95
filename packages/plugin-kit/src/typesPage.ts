import type { TypeKind } from '@millrace/engine';
import type { PluginCatalogue } from './catalogue.ts';
import type { TypeSummary } from './familySource.ts';

const kinds: readonly (readonly [TypeKind, string])[] = [
  ['task', 'Tasks'],
  ['trigger', 'Triggers'],
  ['condition', 'Conditions'],
  ['taskRunner', 'Task runners'],
  ['chart', 'Charts'],
  ['dataFilter', 'Data of charts'],
  ['logExporter', 'Log exporters'],
  ['additionalPlugin', 'Additional plugins'],
  ['storage', 'Storages'],
];

/** One documentation page that lists every type; the page of each type has the details. */
export function describeAllTypes(catalogue: PluginCatalogue): string {
  const sections = kinds.flatMap(([kind, title]) => {
    const types = [...catalogue.list(kind)].sort((a, b) => a.type.localeCompare(b.type));
    return types.length === 0 ? [] : [`## ${title}`, types.map(describeType).join('\n')];
  });
  const count = catalogue.list().length;
  return [
    `The ${count} types of this server. The page of each one, with its properties and examples, is under **Plugins**.`,
    ...brokenPlugins(catalogue),
    ...sections,
  ].join('\n\n');
}

const describeType = ({ type, title, deprecated }: TypeSummary): string =>
  `- \`${type}\`: ${title}${deprecated ? ' (deprecated)' : ''}`;

const brokenPlugins = ({ plugins }: PluginCatalogue): string[] =>
  plugins.flatMap(({ name, error }) =>
    error === undefined ? [] : [`The plugin **${name}** could not be loaded: ${error}`],
  );
