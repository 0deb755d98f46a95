import {
  defineTask,
  listOf,
  nameOfUri,
  readRows,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { ldapExample } from './example.ts';
import { LdifRecord, readLdif, writeRecord } from './ldif.ts';

interface Translation {
  readonly name: 'IonToLdif' | 'LdifToIon';
  readonly title: string;
  readonly description: string;
  readonly extension: string;
  translate(context: TaskContext, uri: string): AsyncIterable<Uint8Array>;
}

function defineTranslation({ name, title, description, extension, translate }: Translation): TaskDefinition {
  return defineTask({
    type: `ldap.${name}`,
    title,
    description,
    input: () => z.object({ inputs: listOf(text()).describe('Files in internal storage.') }),
    output: () =>
      z.object({ urisList: z.array(z.string()).describe('The translated files, in the same order.') }),
    metrics: [
      { name: 'entries.found', type: 'counter', description: 'How many entries were read.' },
      { name: 'entries.translated', type: 'counter', description: 'How many entries were written.' },
    ],
    sideEffects: true,
    examples: [ldapExample(name, 'Translate a file.', ['inputs:', '  - "{{ inputs.file }}"'], false)],
    async run(context, { inputs }) {
      let count = 0;
      const counted = async function* (uri: string) {
        for await (const entry of translate(context, uri)) {
          count += 1;
          yield entry;
        }
      };
      const urisList: string[] = [];
      for (const uri of inputs)
        urisList.push(await context.files.put(nameOfUri(uri).replace(/(\.\w+)?$/, extension), counted(uri)));
      for (const metric of ['entries.found', 'entries.translated'])
        context.metric({ name: metric, type: 'counter', value: count });
      return { urisList };
    },
  });
}

export const translations: readonly TaskDefinition[] = [
  defineTranslation({
    name: 'IonToLdif',
    title: 'Turn rows into LDIF',
    description:
      'Writes rows `{dn, attributes}` or `{dn, changeType, modifications: [{operation, attribute, values}]}` as LDIF files.',
    extension: '.ldif',
    async *translate(context, uri) {
      for await (const { value, text: row } of readRows(context, uri)) {
        const record = LdifRecord.safeParse(value);
        if (!record.success)
          throw new TaskFailed(`This row is not an entry: ${row.slice(0, 200)}`, { retry: false });
        yield Buffer.from(writeRecord(record.data));
      }
    },
  }),
  defineTranslation({
    name: 'LdifToIon',
    title: 'Turn LDIF into rows',
    description: 'Reads LDIF files and writes a row per entry or change.',
    extension: '.ion',
    async *translate(context, uri) {
      for await (const record of readLdif(await context.files.read(uri))) yield toRow(record);
    },
  }),
];
