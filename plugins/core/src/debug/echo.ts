import { logLevels } from '@millrace/contract';
import { choice, defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const echo = defineTask({
  type: 'core.debug.Echo',
  title: 'Write a text to the log',
  description: 'The predecessor of `core.log.Log`.',
  aliases: ['io.kestra.core.tasks.debugs.Echo'],
  deprecated: true,
  input: () =>
    z.object({
      format: text().describe('The text to write, with expressions.'),
      level: choice(logLevels).default('INFO').describe('The level of the line.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Write a line.',
      runs: true,
      code: `id: echo
namespace: company.team

tasks:
  - id: line
    type: core.debug.Echo
    format: "{{ execution.id }} runs"
`,
    },
  ],
  async run(context, { format, level }) {
    await context.log(level, format);
    return {};
  },
});
