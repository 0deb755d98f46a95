import type { Family } from '../definition.ts';
import { messageOf } from '../failure.ts';
import { importModule } from '../importModule.ts';
import { namesOf, type TypeNames } from '../typeNames.ts';
import { type FoundPlugin, findPlugins } from './findPlugins.ts';
import { watchIntrinsics } from './intrinsics.js';
import { pluginKit } from './pluginKit.ts';
import { describeTampering, probePlugin } from './probePlugin.ts';
import { type PluginContent, readPlugin, rootOf } from './readPlugin.ts';

/** A plugin of the user's folder: its content, or why it could not be loaded. */
export interface LoadedPlugin extends Family {
  readonly version: string;
  readonly license: string;
  readonly error?: string;
}

export interface LoadOptions {
  /** The time limit for loading one plugin. */
  readonly timeoutMs: number;
  /** Existing types; plugins cannot use their names. */
  readonly known: readonly TypeNames[];
}

/** Plugins that are tried out at the same time. */
const probesAtOnce = 4;

/** Loads every plugin of the folder. A plugin that is broken is named with its error and harms no other. */
export async function loadPlugins(folder: string, options: LoadOptions): Promise<LoadedPlugin[]> {
  const found = await findPlugins(folder);
  const problems = await mapSome(found, ({ entry }) =>
    entry instanceof URL ? probePlugin(entry, options.timeoutMs) : Promise.resolve(entry.problem),
  );
  const taken = new Set(options.known.flatMap(namesOf));
  const roots = new Set(options.known.map(({ type }) => rootOf(type)));
  const loaded: LoadedPlugin[] = [];
  for (const [index, plugin] of found.entries()) {
    const content = problems[index] ?? (await load(plugin, options.timeoutMs));
    const error = typeof content === 'string' ? content : clashOf(content, taken, roots);
    const { name, version, license } = plugin;
    const words = { name, version, license };
    if (error !== undefined || typeof content === 'string') {
      loaded.push({ ...words, types: [], groups: [], ...(error === undefined ? {} : { error }) });
      continue;
    }
    for (const definition of content.types) {
      for (const taking of namesOf(definition)) taken.add(taking);
      roots.add(rootOf(definition.type));
    }
    loaded.push({ ...words, ...content });
  }
  return loaded;
}

/** The content of the plugin, or the reason it cannot be loaded. */
async function load({ name, entry }: FoundPlugin, timeoutMs: number): Promise<PluginContent | string> {
  if (!(entry instanceof URL)) return entry.problem;
  const intrinsics = watchIntrinsics();
  let content: PluginContent | string;
  try {
    content = await within(timeoutMs, async () => {
      const module = await importModule<Record<string, unknown>>(entry.href);
      return readPlugin(name, module, pluginKit);
    });
  } catch (error) {
    content = messageOf(error);
  }
  const changed = intrinsics.restore();
  return changed.length > 0 ? describeTampering(changed) : content;
}

function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not loaded after ${timeoutMs} ms.`)), timeoutMs);
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

/** A name that something else has already: everyone who wrote it would get another type than before. */
function clashOf(
  { types }: PluginContent,
  taken: ReadonlySet<string>,
  roots: ReadonlySet<string>,
): string | undefined {
  const own = new Set<string>();
  for (const definition of types) {
    const clash = namesOf(definition).find((name) => taken.has(name) || own.has(name));
    if (clash !== undefined) return `The name "${clash}" is taken by another type.`;
    for (const name of namesOf(definition)) own.add(name);
    const root = rootOf(definition.type);
    if (roots.has(root))
      return `The names of its types begin with "${root}", which belongs to another plugin.`;
  }
  return undefined;
}

async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T); // the index is inside
    }
  };
  await Promise.all(Array.from({ length: Math.min(probesAtOnce, items.length) }, run));
  return results;
}
