import { logLevels } from '@millrace/contract';
import { choice, defineTask, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';

export const log = defineTask({
  type: 'core.log.Log',
  title: 'Write to the log of the execution',
  description: 'Writes one log line for each message, at the chosen level.',
  aliases: ['io.kestra.core.tasks.log.Log'],
  input: () =>
    z.object({
      message: textOrList().describe('What to write: a text, or a list of texts for several lines.'),
      level: choice(logLevels).default('INFO').describe('The level of the lines.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Greet the user who started the execution.',
      runs: true,
      code: `id: hello
namespace: company.team

inputs:
  - id: name
    type: STRING
    defaults: World

tasks:
  - id: greet
    type: core.log.Log
    message: Hello {{ inputs.name }}!
`,
    },
    {
      title: 'Write several lines as a warning.',
      runs: true,
      code: `id: two_lines
namespace: company.team

tasks:
  - id: warn
    type: core.log.Log
    level: WARN
    message:
      - The first line
      - Written by {{ flow.id }}
`,
    },
  ],
  async run(context, { message, level }) {
    for (const line of message) await context.log(level, line);
    return {};
  },
});
