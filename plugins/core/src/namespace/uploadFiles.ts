import {
  choice,
  createGlobMatcher,
  defineTask,
  listOf,
  mapOf,
  ownPrefix,
  readInside,
  TaskFailed,
  text,
  toInnerPath,
  walkInside,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const uploadFiles = defineTask({
  type: 'core.namespace.UploadFiles',
  title: 'Put files into a namespace',
  description:
    'Copies files of internal storage, or of the shared folder of a `core.flow.WorkingDirectory`, to the files of a namespace.',
  input: () =>
    z.object({
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
      filesMap: mapOf(text()).optional().describe('From path in the namespace to URI in internal storage.'),
      files: listOf(text()).optional().describe('Files of the shared folder, as globs.'),
      destination: text().default('/').describe('The folder in the namespace.'),
      conflict: choice(['OVERWRITE', 'ERROR', 'SKIP'])
        .default('OVERWRITE')
        .describe('What to do with a file that is there.'),
    }),
  output: () =>
    z.object({
      files: z.record(z.string(), z.string()).describe('The paths that were written, and where from.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Keep a file for other flows.',
      runs: true,
      code: `id: upload
namespace: company.team

inputs:
  - id: rates
    type: FILE

tasks:
  - id: upload
    type: core.namespace.UploadFiles
    filesMap:
      rates.csv: "{{ inputs.rates }}"
    destination: data
`,
    },
  ],
  async run(
    context,
    { namespace = context.run.namespace, filesMap = {}, files = [], destination, conflict },
  ) {
    const existing = new Set(conflict === 'OVERWRITE' ? [] : await context.namespaceFiles.list(namespace));
    const written: Record<string, string> = {};
    const write = async (name: string, from: string, content: () => Promise<AsyncIterable<Uint8Array>>) => {
      const path = toInnerPath(`./${destination}/${name}`);
      if (existing.has(path)) {
        if (conflict === 'ERROR')
          throw new TaskFailed(`The file "${path}" exists in the namespace "${namespace}".`, {
            retry: false,
          });
        return;
      }
      await context.namespaceFiles.write(namespace, path, await content());
      written[path] = from;
    };
    for (const [name, uri] of Object.entries(filesMap)) await write(name, uri, () => context.files.read(uri));
    if (files.length === 0) return { files: written };

    const folder = await context.workingDirectory();
    const matches = createGlobMatcher(files.map(toInnerPath));
    for await (const { path, isLink } of walkInside(folder)) {
      if (isLink || path.startsWith(ownPrefix) || !matches(path)) continue;
      await write(path, path, async () => readInside(folder, path));
    }
    return { files: written };
  },
});
