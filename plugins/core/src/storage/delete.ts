import { defineTask, flag, storageUri, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

export const deleteFile = defineTask({
  type: 'core.storage.Delete',
  title: 'Delete a file',
  description: 'Deletes one file of internal storage.',
  aliases: ['io.kestra.core.tasks.storages.Delete'],
  input: () =>
    z.object({
      uri: storageUri().describe('The URI of the file.'),
      errorOnMissing: flag().default(false).describe('Fail when there is no such file.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file.'),
      deleted: z.boolean().describe('False when there was no such file.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Delete an uploaded file once it was used.',
      runs: true,
      code: `id: delete_file
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: delete
    type: core.storage.Delete
    uri: "{{ inputs.file }}"
`,
    },
  ],
  async run(context, { uri, errorOnMissing }) {
    const deleted = await context.files.delete(uri);
    if (!deleted && errorOnMissing) throw new TaskFailed(`The file ${uri} does not exist.`);
    return { uri, deleted };
  },
});
