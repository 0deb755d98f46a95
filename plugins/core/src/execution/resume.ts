import { anything, defineTask, deprecated, lineIcon, mapOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const resume = defineTask({
  type: 'core.execution.Resume',
  title: 'Resume a paused execution',
  description: 'Resumes another execution that waits at a `core.flow.Pause`, with the inputs it asks for.',
  aliases: ['io.kestra.core.tasks.executions.Resume'],
  icon: lineIcon('M5 5v14', 'M9 5l10 7-10 7z'),
  input: () =>
    z.object({
      executionId: text()
        .optional()
        .describe('The execution to resume; the one that triggered this one when absent.'),
      inputs: mapOf(anything()).default({}).describe('What the pause asks for.'),
      namespace: deprecated(text().optional(), 'the id of an execution is enough.'),
      flowId: deprecated(text().optional(), 'the id of an execution is enough.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Resume the execution named by an input.',
      runs: false,
      code: `id: approve
namespace: company.team

inputs:
  - id: execution
    type: STRING

tasks:
  - id: resume
    type: core.execution.Resume
    executionId: "{{ inputs.execution }}"
    inputs:
      reason: approved by a flow
`,
    },
  ],
  async run(context, { executionId, inputs }) {
    const id = executionId ?? String(await context.render('{{ trigger.executionId }}'));
    await context.actions.resumeExecution(id, inputs);
    return {};
  },
});
