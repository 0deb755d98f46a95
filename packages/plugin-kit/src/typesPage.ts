import type { TypeKind } from '@millrace/engine';
import type { PluginCatalogue } from './catalogue.ts';
import type { Definition } from './definition.ts';

const kinds: readonly (readonly [TypeKind, string])[] = [
  ['task', 'Tasks'],
  ['trigger', 'Triggers'],
  ['condition', 'Conditions'],
  ['taskRunner', 'Task runners'],
  ['chart', 'Charts'],
  ['dataFilter', 'Data of charts'],
  ['logExporter', 'Log exporters'],
  ['storage', 'Storages'],
];

/** Every type there is, with its examples, as one page of documentation. Made from the same definitions as all else. */
export function describeAllTypes(catalogue: PluginCatalogue): string {
  const sections = kinds.flatMap(([kind, title]) => {
    const types = [...catalogue.list(kind)].sort((a, b) => a.type.localeCompare(b.type));
    return types.length === 0 ? [] : [`## ${title}`, ...types.map(describeType)];
  });
  const count = catalogue.list().length;
  return [
    `The ${count} types of this server. The page of each one, with all its properties, is under **Plugins**.`,
    ...brokenPlugins(catalogue),
    ...sections,
  ].join('\n\n');
}

function describeType({ type, title, description, deprecated, examples }: Definition): string {
  return [
    `### ${type}`,
    `**${title}.**${deprecated === true ? ' Deprecated.' : ''} ${description}`,
    ...examples.map((example) => `${example.title}\n\n\`\`\`yaml\n${example.code.trim()}\n\`\`\``),
  ].join('\n\n');
}

const brokenPlugins = ({ plugins }: PluginCatalogue): string[] =>
  plugins.flatMap(({ name, error }) =>
    error === undefined ? [] : [`The plugin **${name}** could not be loaded: ${error}`],
  );
