import {
  defineTask,
  listOf,
  messageOf,
  type TaskContext,
  type TaskDefinition,
  text,
} from '@millrace/plugin-kit';
import type * as Ldap from 'ldapts';
import { z } from 'zod';
import { connectionProperties, type LdapConnection, withLdap } from './client.ts';
import { ldapExample } from './example.ts';
import { type LdifRecord, readLdif } from './ldif.ts';

type Change = (client: Ldap.Client, record: LdifRecord, ldap: typeof Ldap) => Promise<void>;

interface Words {
  readonly name: 'Add' | 'Modify' | 'Delete';
  readonly title: string;
  readonly description: string;
  readonly metric: 'additions' | 'modifications' | 'deletions';
  readonly change: Change;
}

function defineChange({ name, title, description, metric, change }: Words): TaskDefinition {
  return defineTask({
    type: `ldap.${name}`,
    title,
    description: `${description} An entry that the server refuses is logged, and the others are still sent.`,
    input: () =>
      z.object({
        ...connectionProperties,
        inputs: listOf(text()).describe('LDIF files in internal storage.'),
      }),
    output: () => z.object({}),
    metrics: [
      { name: `${metric}.requested`, type: 'counter', description: 'How many entries were sent.' },
      { name: `${metric}.done`, type: 'counter', description: 'How many entries the server accepted.' },
      { name: `${metric}.mean.time`, type: 'timer', description: 'How long the server took for one entry.' },
    ],
    sideEffects: true,
    examples: [ldapExample(name, `${name} entries of a file.`, ['inputs:', '  - "{{ inputs.file }}"'])],
    run: (context, { inputs, ...connection }) => apply(context, connection, inputs, metric, change),
  });
}

async function apply(
  context: TaskContext,
  connection: LdapConnection,
  inputs: readonly string[],
  metric: string,
  change: Change,
): Promise<Record<string, never>> {
  let [requested, done, spentMs] = [0, 0, 0];
  await withLdap(context, connection, async (client, ldap) => {
    for (const uri of inputs) {
      for await (const record of readLdif(await context.files.read(uri))) {
        requested += 1;
        const start = performance.now();
        try {
          await change(client, record, ldap);
          done += 1;
        } catch (error) {
          context.signal.throwIfAborted();
          if (!client.isConnected) throw error;
          await context.log('ERROR', `${record.dn}: ${messageOf(error)}`);
        }
        spentMs += performance.now() - start;
      }
    }
  });
  context.metric({ name: `${metric}.requested`, type: 'counter', value: requested });
  context.metric({ name: `${metric}.done`, type: 'counter', value: done });
  context.metric({
    name: `${metric}.mean.time`,
    type: 'timer',
    value: Math.round(spentMs / Math.max(requested, 1)),
  });
  await context.log('INFO', `${done} of ${requested} entries were accepted.`);
  return {};
}

const operations: Readonly<Record<string, 'add' | 'delete' | 'replace'>> = {
  add: 'add',
  delete: 'delete',
  replace: 'replace',
};

export const changeTasks: readonly TaskDefinition[] = [
  defineChange({
    name: 'Add',
    title: 'Add entries to an LDAP directory',
    description: 'Adds the entries of LDIF files.',
    metric: 'additions',
    change: (client, { dn, attributes = {} }) => client.add(dn, attributes),
  }),
  defineChange({
    name: 'Modify',
    title: 'Modify entries of an LDAP directory',
    description: 'Applies the changes of LDIF files (`changetype: modify`).',
    metric: 'modifications',
    change: (client, { dn, modifications = [] }, { Attribute, Change: LdapChange }) =>
      client.modify(
        dn,
        modifications.map(
          ({ operation, attribute, values = [] }) =>
            new LdapChange({
              operation: operations[operation] ?? 'replace',
              modification: new Attribute({ type: attribute, values }),
            }),
        ),
      ),
  }),
  defineChange({
    name: 'Delete',
    title: 'Delete entries of an LDAP directory',
    description: 'Deletes the entries that LDIF files name.',
    metric: 'deletions',
    change: (client, { dn }) => client.del(dn),
  }),
];
