import { kv } from '@millrace/contract';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson, printTable } from '../client/print.ts';
import { tell } from '../client/tell.ts';
import { type Command, CommandFailure, defineCommand, exitCodes } from '../command.ts';

export const kvList = defineCommand({
  name: 'namespace kv list',
  summary: 'List the keys of a namespace',
  usage: 'NAMESPACE',
  positionals: { min: 1, max: 1 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = ''] }, surroundings) => {
    const entries = await connect(values, surroundings).call(kv.listKv, { params: { namespace } });
    if (isJson(values, surroundings)) printJson(surroundings.out, entries);
    else {
      const rows = entries.map((entry) => [
        entry.key,
        entry.updateDate,
        entry.expirationDate ?? '',
        entry.description ?? '',
      ]);
      printTable(surroundings.out, ['KEY', 'UPDATED', 'EXPIRES', 'DESCRIPTION'], rows);
    }
    return exitCodes.done;
  },
});

export const kvGet = defineCommand({
  name: 'namespace kv get',
  summary: 'Print the value of a key',
  usage: 'NAMESPACE KEY',
  positionals: { min: 2, max: 2 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', key = ''] }, surroundings) => {
    const entry = await connect(values, surroundings).call(kv.getKv, { params: { namespace, key } });
    if (isJson(values, surroundings)) printJson(surroundings.out, entry);
    else {
      const { value = null } = entry;
      surroundings.out.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    }
    return exitCodes.done;
  },
});

const set = {
  usage: 'NAMESPACE KEY VALUE',
  positionals: { min: 3, max: 3 },
  options: {
    ttl: { type: 'string', value: 'DURATION', help: 'forget the value after this time, P1D for a day' },
    description: { type: 'string', help: 'what the value is for' },
    ...clientOptions,
  },
  details: 'The value is read as JSON, a date or a duration where it is one, and as text otherwise.',
} as const;

const runSet: Parameters<typeof defineCommand<typeof set.options>>[0]['run'] = async (
  { values, positionals: [namespace = '', key = '', value = ''] },
  surroundings,
) => {
  const { ttl, description } = values;
  await connect(values, surroundings).call(kv.putKv, {
    params: { namespace, key },
    body: value,
    headers: {
      ...(ttl === undefined ? {} : { ttl }),
      ...(description === undefined ? {} : { description }),
    },
  });
  tell(values, surroundings, `saved    ${namespace} ${key}`, { saved: { namespace, key } });
  return exitCodes.done;
};

export const kvSet: Command = defineCommand({
  name: 'namespace kv set',
  summary: 'Write the value of a key',
  ...set,
  run: runSet,
});

/** The verb that scripts for other products use. */
export const kvUpdate: Command = defineCommand({
  name: 'namespace kv update',
  summary: 'The same as set',
  ...set,
  run: runSet,
});

export const kvDelete = defineCommand({
  name: 'namespace kv delete',
  summary: 'Delete a key; fails when there is none',
  usage: 'NAMESPACE KEY',
  positionals: { min: 2, max: 2 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', key = ''] }, surroundings) => {
    const wasThere = await connect(values, surroundings).call(kv.deleteKv, { params: { namespace, key } });
    if (!wasThere) throw new CommandFailure(`There is no key "${key}" in the namespace "${namespace}".`);
    tell(values, surroundings, `deleted  ${namespace} ${key}`, { deleted: { namespace, key } });
    return exitCodes.done;
  },
});
