import { defineTask, listOf, storageUri, text, writeInside } from '@millrace/plugin-kit';
import { cliProperties, cliTask, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';

export const compose = defineTask({
  ...cliTask,
  type: 'docker.cli.Compose',
  aliases: ['docker.Compose'],
  title: 'Run Docker Compose',
  description: `Runs \`docker compose\` with the arguments of \`composeArgs\`. The Compose files come from \`composeFile\` or lie in the working
directory. The program \`docker\` with its Compose plugin must be on the worker, or \`taskRunner\` names a container that has it
and reaches an engine.`,
  input: () =>
    z.object({
      composeFile: storageUri()
        .optional()
        .describe(
          'The Compose file: a URI of internal storage, its path in the working directory, or its content.',
        ),
      composeFiles: listOf(text())
        .default([])
        .describe(
          'More Compose files, by their paths in the working directory; later ones override earlier ones.',
        ),
      composeArgs: listOf(text(), { min: 1 }).describe('The arguments, such as `up` and `--detach`.'),
      ...cliProperties('docker:27.5.1-cli'),
    }),
  examples: [
    {
      title: 'Start two services and wait until they are healthy.',
      runs: false,
      code: `id: docker_compose
namespace: company.team

tasks:
  - id: up
    type: docker.cli.Compose
    composeFile: |
      services:
        web:
          image: nginx:alpine
        cache:
          image: redis:7-alpine
    composeArgs:
      - up
      - --detach
      - --wait
`,
    },
  ],
  async run(context, input) {
    const { composeFile, composeFiles, composeArgs } = input;
    const isInline = composeFile?.includes('\n') ?? false;
    if (composeFile !== undefined && isInline)
      await writeInside(await context.workingDirectory(), inlineFile, composeFile);
    // The URI of a stored file is replaced by its local path when the command is prepared.
    const first = composeFile === undefined ? [] : [isInline ? inlineFile : composeFile.trim()];
    const files = [...first, ...composeFiles].map((file) => `-f ${shellQuote(file)}`);
    const line = ['docker compose', ...files, ...composeArgs.map(shellQuote)].join(' ');
    return runScript(context, input, { lines: [line] });
  },
});

const inlineFile = 'compose.millrace.yml';
