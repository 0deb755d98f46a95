import { plugins } from '@millrace/contract';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson, printTable } from '../client/print.ts';
import { defineCommand, type ExitCode, exitCodes, type Surroundings } from '../command.ts';

const kinds = [
  'tasks',
  'triggers',
  'conditions',
  'taskRunners',
  'charts',
  'dataFilters',
  'logExporters',
  'additionalPlugins',
] as const;

export const pluginsList = defineCommand({
  name: 'plugins list',
  summary: 'List the types that flows of a server can use',
  options: {
    ...clientOptions,
    missing: {
      type: 'string',
      value: 'DIR',
      help: 'list the types that the flows of this folder use and Millrace does not have',
    },
    url: {
      type: 'string',
      value: 'URL',
      help: 'the same for the flows of a running Kestra; --user and --api-token sign in there',
    },
  },
  run: async ({ values }, surroundings) => {
    if (values.missing !== undefined || values.url !== undefined) return listMissing(values, surroundings);
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

async function listMissing(
  values: Parameters<typeof connect>[0] & { readonly missing?: string; readonly url?: string },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const [{ findMissingTypes, readAnyFlows, readFlowsOf }, { openProductCatalogue }, { readFlowSources }] =
    await Promise.all([
      import('./missingTypes.ts'),
      import('../../plugins/productFamilies.ts'),
      import('../client/sourceFiles.ts'),
    ]);
  let unreadable = 0;
  const refuse = (message: string) => {
    unreadable++;
    surroundings.err.write(`${message}\n`);
  };
  const flows =
    values.url === undefined
      ? readAnyFlows(await readFlowSources([values.missing ?? '.']), refuse)
      : await readFlowsOf(values.url, connect(values, surroundings).authorization);
  const missing = findMissingTypes(flows, await openProductCatalogue());
  if (isJson(values, surroundings)) printJson(surroundings.out, missing);
  else if (missing.length === 0)
    surroundings.out.write(
      `Every type of ${flows.length === 1 ? 'one flow' : `${flows.length} flows`} is known.\n`,
    );
  else {
    const rows = missing.map(({ type, uses, flows: count, nearest }) => [
      type,
      String(uses),
      String(count),
      nearest ?? '',
    ]);
    printTable(surroundings.out, ['TYPE', 'USES', 'FLOWS', 'NEAREST'], rows);
  }
  return missing.length + unreadable === 0 ? exitCodes.done : exitCodes.failed;
}

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
