import {
  choice,
  type Definition,
  defineTask,
  dropMissing,
  flag,
  integer,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { Storage } from '../client/storage.ts';
import { appendData, change, lease, readProperties } from './files.ts';
import { fileProperties } from './properties.ts';

const aFile = ['fileSystem: raw', 'filePath: orders/today.csv'];

const append = defineTask({
  type: 'azure.storage.adls.update.Append',
  title: 'Append text to a file of Data Lake Storage',
  description: 'Adds text at the end of a file. A file that does not exist fails the task.',
  input: () => z.object({ ...fileProperties, data: text().describe('The text to add.') }),
  output: () => z.object({}),
  metrics: [
    { name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the file afterwards.' },
    { name: 'data.size', type: 'counter', unit: 'bytes', description: 'The size of the added text.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.adls.update.Append', 'Add a line.', [
      ...aFile,
      'data: "{{ execution.id }}\\n"',
    ]),
  ],
  async run(context, { fileSystem, filePath, data, ...input }) {
    const bytes = Buffer.from(data);
    const storage = new Storage(context, input, 'dfs');
    const size = await appendData(storage, { fileSystem, filePath }, bytes);
    context.metric({ name: 'file.size', type: 'counter', value: size });
    context.metric({ name: 'data.size', type: 'counter', value: bytes.length });
    return {};
  },
});

const leaseTask = defineTask({
  type: 'azure.storage.adls.update.Lease',
  title: 'Lock a file of Data Lake Storage with a lease',
  description:
    'Acquires, renews, releases or breaks the lease of a file. Only the holder of a lease can change the file.',
  check: ({ action, leaseId }) =>
    (action === 'RENEW' || action === 'RELEASE') && leaseId === undefined
      ? [{ severity: 'error', path: 'leaseId', message: `must be given when "action" is ${action}` }]
      : [],
  input: () =>
    z.object({
      ...fileProperties,
      action: choice(['ACQUIRE', 'RENEW', 'RELEASE', 'BREAK']).default('ACQUIRE').describe('The action.'),
      leaseDuration: integer({ min: -1, max: 60 })
        .default(-1)
        .describe('The duration of a new lease: 15 to 60 seconds, or -1 for no end.'),
      leaseId: text()
        .optional()
        .describe('The id of the lease to renew or release; a proposed id for a new one.'),
    }),
  output: () => z.object({ id: z.string().optional().describe('The id of the lease.') }),
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.update.Lease', 'Lock a file.', [...aFile, 'leaseDuration: 60'])],
  async run(context, { fileSystem, filePath, action, leaseDuration, leaseId, ...input }) {
    if ((action === 'RENEW' || action === 'RELEASE') && leaseId === undefined)
      throw new TaskFailed(`"leaseId" must be given when "action" is ${action}.`, { retry: false });
    const storage = new Storage(context, input, 'dfs');
    const path = { fileSystem, filePath };
    const id = await lease(storage, path, action, { leaseId, seconds: leaseDuration });
    return dropMissing({ id: id ?? leaseId });
  },
});

const permission = (who: string) =>
  part({
    readPermission: flag().optional().describe('May read.'),
    writePermission: flag().optional().describe('May write.'),
    executePermission: flag().optional().describe('May execute, or enter a directory.'),
  })
    .optional()
    .describe(`The permissions of ${who}; unchanged when absent.`);

type Permission = z.infer<ReturnType<typeof permission>>;

const lettersOf = (given: Permission, before: string): string =>
  given === undefined
    ? before
    : `${given.readPermission ? 'r' : '-'}${given.writePermission ? 'w' : '-'}${given.executePermission ? 'x' : '-'}`;

const setAccessControl = defineTask({
  type: 'azure.storage.adls.update.SetAccessControl',
  title: 'Set the permissions of a file of Data Lake Storage',
  description: 'Sets what the owner, the owning group and all others may do with a file or directory.',
  input: () =>
    z.object({
      ...fileProperties,
      ownerPermissions: permission('the owner'),
      groupPermissions: permission('the owning group'),
      otherPermissions: permission('all others'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.adls.update.SetAccessControl', 'Let the group read a file.', [
      ...aFile,
      'groupPermissions:',
      '  readPermission: true',
    ]),
  ],
  async run(
    context,
    { fileSystem, filePath, ownerPermissions, groupPermissions, otherPermissions, ...input },
  ) {
    const given = [ownerPermissions, groupPermissions, otherPermissions];
    if (given.every((each) => each === undefined))
      throw new TaskFailed(
        'One of "ownerPermissions", "groupPermissions" and "otherPermissions" must be given.',
        { retry: false },
      );
    const storage = new Storage(context, input, 'dfs');
    const path = { fileSystem, filePath };
    const isWhole = given.every((each) => each !== undefined);
    const { permissions = '---------' } = isWhole ? {} : await readProperties(storage, path);
    const letters = given
      .map((each, index) => lettersOf(each, permissions.slice(index * 3, index * 3 + 3)))
      .join('');
    await change(storage, path, {
      action: 'the permissions of',
      method: 'PATCH',
      query: { action: 'setAccessControl' },
      headers: { 'x-ms-permissions': letters },
    });
    return {};
  },
});

export const updateTypes: readonly Definition[] = [append, leaseTask, setAccessControl];
