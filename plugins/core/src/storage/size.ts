import { defineTask, storageUri, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

export const size = defineTask({
  type: 'core.storage.Size',
  title: 'Get the size of a file',
  description: 'Returns how many bytes a file of internal storage has.',
  aliases: ['io.kestra.core.tasks.storages.Size'],
  input: () => z.object({ uri: storageUri().describe('The URI of the file.') }),
  output: () => z.object({ size: z.number().describe('The number of bytes.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Continue only when a file is not empty.',
      runs: true,
      code: `id: size
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: size
    type: core.storage.Size
    uri: "{{ inputs.file }}"

  - id: work
    type: core.log.Log
    runIf: "{{ outputs.size.size > 0 }}"
    message: "{{ outputs.size.size }} bytes"
`,
    },
  ],
  async run(context, { uri }) {
    const bytes = await context.files.sizeOf(uri);
    if (bytes === undefined) throw new TaskFailed(`The file ${uri} does not exist.`);
    return { size: bytes };
  },
});
