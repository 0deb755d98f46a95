import { plugins } from '@millrace/contract';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson, printTable } from '../client/print.ts';
import { defineCommand, exitCodes } from '../command.ts';

const kinds = [
  'tasks',
  'triggers',
  'conditions',
  'taskRunners',
  'charts',
  'dataFilters',
  'logExporters',
] as const;

export const pluginsList = defineCommand({
  name: 'plugins list',
  summary: 'List the types that flows of a server can use',
  options: clientOptions,
  run: async ({ values }, surroundings) => {
    const found = await connect(values, surroundings).call(plugins.listPlugins);
    if (isJson(values, surroundings)) printJson(surroundings.out, found);
    else {
      const rows = found.flatMap((plugin) =>
        kinds.flatMap((kind) =>
          plugin[kind].map(({ cls, deprecated }) => [
            cls,
            kind.replace(/s$/, ''),
            deprecated ? 'deprecated' : '',
          ]),
        ),
      );
      printTable(surroundings.out, ['TYPE', 'KIND', ''], rows);
    }
    return exitCodes.done;
  },
});

export const pluginsDoc = defineCommand({
  name: 'plugins doc',
  summary: 'Print the documentation of a type as Markdown',
  usage: 'TYPE',
  positionals: { min: 1, max: 1 },
  options: clientOptions,
  run: async ({ values, positionals: [cls = ''] }, surroundings) => {
    const document = await connect(values, surroundings).call(plugins.getPluginDocumentation, {
      params: { cls },
      query: { all: true },
    });
    if (isJson(values, surroundings)) printJson(surroundings.out, document);
    else surroundings.out.write(`${document.markdown.trimEnd()}\n`);
    return exitCodes.done;
  },
});
