import type { Definition, Group } from '../definition.ts';
import { lineIcon } from '../icon.ts';
import { isMap, type PluginKit } from './pluginKit.ts';

/** The content of a plugin. */
export interface PluginContent {
  readonly types: readonly Definition[];
  readonly groups: readonly Group[];
}

const puzzle = lineIcon('M4 8h4a2 2 0 1 1 4 0h4v4a2 2 0 1 1 0 4v4H4z');
const maxIconLength = 100_000;
const kinds: ReadonlySet<unknown> = new Set([
  'task',
  'trigger',
  'condition',
  'taskRunner',
  'chart',
  'dataFilter',
  'logExporter',
  'storage',
]);

/** Reads the types of a plugin's module. Throws a readable error when the module is not as expected. */
export async function readPlugin(
  name: string,
  module: Readonly<Record<string, unknown>>,
  kit: PluginKit,
): Promise<PluginContent> {
  const main = module.default;
  if (typeof main !== 'function') throw new Error('It has no default export that is a function.');
  const answer: unknown = await main(kit);
  const content = Array.isArray(answer) ? { types: answer } : answer;
  if (!isMap(content) || !Array.isArray(content.types)) {
    throw new Error('Its default export must return a list of definitions, or a map with "types".');
  }
  const types = content.types.map(readDefinition);
  if (types.length === 0) throw new Error('It defines no types.');
  const roots = [...new Set(types.map(({ type }) => rootOf(type)))];
  const [root = ''] = roots;
  if (roots.length > 1) {
    throw new Error(`The names of its types must begin alike, and they begin with ${roots.join(', ')}.`);
  }
  return { types, groups: readGroups(root, name, content) };
}

export const rootOf = (type: string): string => type.split('.')[0] ?? type;

function readDefinition(value: unknown): Definition {
  if (!isMap(value) || !kinds.has(value.kind) || typeof value.type !== 'string') {
    throw new Error(
      'One of its types was not made by defineTask, defineTrigger or another define… of the kit.',
    );
  }
  // `as`: created and validated by the kit.
  return value as unknown as Definition;
}

function readGroups(root: string, name: string, content: Readonly<Record<string, unknown>>): Group[] {
  const below = Array.isArray(content.subGroups) ? content.subGroups.filter(isMap) : [];
  const first = readGroup(root, { title: name, ...(isMap(content.group) ? content.group : {}) });
  const parts = below
    .filter(({ group }) => typeof group === 'string' && group.startsWith(`${root}.`))
    .map((part) => readGroup(String(part.group), { icon: first.icon, ...part }));
  return [first, ...parts];
}

function readGroup(group: string, words: Readonly<Record<string, unknown>>): Group {
  const { title, description, icon, categories } = words;
  const isIcon = typeof icon === 'string' && icon.length <= maxIconLength && /^\s*<svg[\s>]/.test(icon);
  return {
    group,
    title: typeof title === 'string' ? title : group,
    description: typeof description === 'string' ? description : '',
    icon: isIcon ? icon : puzzle,
    categories: Array.isArray(categories) ? categories.map(String) : ['OTHER'],
  };
}
