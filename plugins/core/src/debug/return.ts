import { defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const returnValue = defineTask({
  type: 'core.debug.Return',
  title: 'Render an expression and return the text',
  description: 'Useful to see what an expression gives, or to pass a computed text on to later tasks.',
  aliases: ['io.kestra.core.tasks.debugs.Return'],
  input: () => z.object({ format: text().optional().describe('The text to return, with expressions.') }),
  output: () => z.object({ value: z.string().nullable().describe('The rendered text.') }),
  metrics: [
    { name: 'length', type: 'counter', description: 'How many characters the text has.' },
    { name: 'duration', type: 'timer', description: 'How long the task took.' },
  ],
  sideEffects: false,
  examples: [
    {
      title: 'Compute a text once and use it twice.',
      runs: true,
      code: `id: compute
namespace: company.team

tasks:
  - id: path
    type: core.debug.Return
    format: "reports/{{ flow.id }}/{{ execution.id }}"

  - id: show
    type: core.log.Log
    message: "Writing to {{ outputs.path.value }}"
`,
    },
  ],
  async run(context, { format }) {
    const start = performance.now();
    const value = format ?? null;
    if (value !== null) await context.log('DEBUG', value);
    context.metric({ name: 'length', type: 'counter', value: value?.length ?? 0 });
    context.metric({ name: 'duration', type: 'timer', value: performance.now() - start });
    return { value };
  },
});
