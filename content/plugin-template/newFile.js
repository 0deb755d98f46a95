import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A polling trigger: looks every `interval`; outputs start an execution, nothing starts none. */
export const newFile = ({ defineTrigger, z, text, duration, fixed }) =>
  defineTrigger({
    type: 'acme.NewFile',
    role: 'polling',
    title: 'When a file appears in a folder',
    description: 'Looks into a folder of the server and starts one execution for the files that are new.',
    input: z.object({
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two looks.'),
      folder: text().describe('The folder to look into.'),
    }),
    output: z.object({ files: z.array(z.string()).describe('The paths of the new files.') }),
    examples: [
      {
        title: 'Log what arrives.',
        runs: false,
        code: `id: arrivals
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.files }}"

triggers:
  - id: look
    type: acme.NewFile
    interval: PT10S
    folder: /srv/inbox
`,
      },
    ],
    async poll(context, { folder }) {
      const names = (await readdir(folder)).sort();
      // What is remembered is stored together with the execution: no file is taken twice, and none is forgotten.
      const known = new Set(Array.isArray(context.memory) ? context.memory : []);
      context.remember(names);
      const files = names.filter((name) => !known.has(name)).map((name) => join(folder, name));
      return files.length > 0 ? { files } : undefined;
    },
  });
