import { isTruthy } from '@millrace/expression';
import { defineTask, lineIcon, listOf, messageOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const assert = defineTask({
  type: 'core.execution.Assert',
  title: 'Check that conditions hold',
  description:
    'Every condition is rendered. Those that are not truthy, or cannot be rendered, are logged, and then the task fails.',
  icon: lineIcon('M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z', 'M9 12l2 2 4-4'),
  input: () =>
    z.object({
      conditions: listOf(text(), { min: 1 }).describe('What must be truthy.'),
      errorMessage: text().optional().describe('The message in the log when a condition does not hold.'),
    }),
  output: () => z.object({}),
  metrics: [
    { name: 'success', type: 'counter', description: 'How many conditions held.' },
    { name: 'failed', type: 'counter', description: 'How many did not.' },
  ],
  sideEffects: false,
  raw: ['conditions', 'errorMessage'],
  examples: [
    {
      title: 'Check a value before it is used.',
      runs: true,
      code: `id: check
namespace: company.team

tasks:
  - id: value
    type: core.debug.Return
    format: hello

  - id: check
    type: core.execution.Assert
    errorMessage: The value is not what it should be
    conditions:
      - "{{ outputs.value.value == 'hello' }}"
      - "{{ outputs.value.value | length > 3 }}"
`,
    },
  ],
  async run(context, { conditions, errorMessage }) {
    const failed: string[] = [];
    for (const condition of conditions) {
      const problem = await failureOf(context.render(condition), condition);
      if (problem === undefined) continue;
      failed.push(condition.trim());
      await context.log('ERROR', problem);
    }
    context.metric({ name: 'success', type: 'counter', value: conditions.length - failed.length });
    context.metric({ name: 'failed', type: 'counter', value: failed.length });
    if (failed.length === 0) return {};
    const message = errorMessage === undefined ? undefined : String(await context.render(errorMessage));
    if (message !== undefined) await context.log('ERROR', message);
    // The inbox groups failures by this line and hides quoted values, so the conditions stand here without quotes.
    const count = `${failed.length} assertion${failed.length === 1 ? '' : 's'} failed!`;
    throw new TaskFailed(`${count} ${message ?? failed.join(', ')}`);
  },
});

async function failureOf(rendering: Promise<unknown>, condition: string): Promise<string | undefined> {
  try {
    const rendered = await rendering;
    return isTruthy(rendered)
      ? undefined
      : `Assertion \`${condition}\` failed: it rendered to "${rendered}".`;
  } catch (error) {
    return `Assertion \`${condition}\` could not be rendered: ${messageOf(error)}`;
  }
}
