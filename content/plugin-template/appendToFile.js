import { open } from 'node:fs/promises';

/** A log exporter: takes the lines that `core.log.LogShipper` hands over. */
export const appendToFile = ({ defineLogExporter, z, text }) =>
  defineLogExporter({
    type: 'acme.AppendToFile',
    title: 'Append the log to a file of the machine',
    description: 'Writes one JSON value a line. Returns `size`.',
    input: z.object({ path: text().describe('The file.') }),
    examples: [
      {
        title: 'For a program that reads files.',
        runs: false,
        code: `id: ship_logs
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: file
        type: acme.AppendToFile
        path: /var/log/flows.jsonl
`,
      },
    ],
    async export(context, { path }, lines) {
      const file = await open(path, 'a');
      let size = 0;
      try {
        // Line by line: there may be more than fit into memory.
        for await (const line of lines) {
          await file.write(`${JSON.stringify(line)}\n`);
          size += 1;
        }
      } finally {
        await file.close();
      }
      return { size };
    },
  });
