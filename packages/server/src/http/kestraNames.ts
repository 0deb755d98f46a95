import { plugins } from '@millrace/contract';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './mount.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Rewrites a value before it is sent, where the server presents the names of Kestra. */
    presentNames?: (value: unknown) => unknown;
  }
}

/** Texts that users wrote; they are returned exactly as they are stored. */
const sourceKeys = new Set(['source', 'sourceCode', 'fragments']);
/** User values: file URIs in them are rewritten, but text that equals a type name is not. */
const dataKeys = new Set(['inputs', 'outputs', 'variables', 'labels']);
const typeKeys = new Set(['type', 'cls', 'includedTasks']);
const typeCountKeys = new Set(['taskTypeCount', 'triggerTypeCount', 'taskRunnerTypeCount']);
/** Responses that are a map by type or by group. */
const keyedResponses = new Map([
  [pathOf(plugins.getPluginIcons), 'types'],
  [pathOf(plugins.getGroupIcons), 'groups'],
] as const);
const groupKeys = new Set(['group', 'subGroup', 'X-Kestra-Group']);

/** Makes every JSON response and event stream use `kestra:///` addresses and `io.kestra.plugin.*` names. */
export function presentKestraNames(app: FastifyInstance, catalogue: PluginCatalogue): void {
  const present = createPresenter(catalogue);
  app.decorate('presentNames', present);
  app.addHook('preSerialization', async (request, _reply, payload) =>
    present(payload, keyedResponses.get(request.routeOptions.url ?? '')),
  );
}

export function createPresenter(
  catalogue: PluginCatalogue,
): (value: unknown, keys?: 'types' | 'groups') => unknown {
  const foreign = new Set(catalogue.plugins.flatMap(({ groups }) => groups.map(({ group }) => group)));
  const groups = new Set(catalogue.groups.map(({ group }) => group).filter((group) => !foreign.has(group)));
  const types = new Set(
    catalogue
      .list()
      .map(({ type }) => type)
      .filter((type) => !foreign.has(catalogue.groupOf(type)?.group ?? '')),
  );
  const longName = (name: string, known: ReadonlySet<string>) =>
    known.has(name) ? `io.kestra.plugin.${name}` : name;

  const present = (value: unknown, key: string, isData: boolean): unknown => {
    if (typeof value === 'string') {
      if (!isData && typeKeys.has(key)) return longName(value, types);
      if (!isData && groupKeys.has(key)) return longName(value, groups);
      return sourceKeys.has(key) ? value : value.replaceAll('millrace:///', 'kestra:///');
    }
    if (Array.isArray(value)) return value.map((item) => present(item, key, isData));
    if (typeof value !== 'object' || value === null) return value;
    const rename = typeCountKeys.has(key) ? (name: string) => longName(name, types) : (name: string) => name;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        rename(name),
        present(item, name, isData || dataKeys.has(name)),
      ]),
    );
  };
  return (value, keys) => {
    const presented = present(value, '', false);
    if (keys === undefined || typeof presented !== 'object' || presented === null) return presented;
    const known = { types, groups }[keys];
    return Object.fromEntries(Object.entries(presented).map(([name, item]) => [longName(name, known), item]));
  };
}
