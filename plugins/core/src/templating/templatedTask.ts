import { defineTask, messageOf, TaskFailed, text } from '@millrace/plugin-kit';
import { parse } from 'yaml';
import { z } from 'zod';

export const templatedTask = defineTask({
  type: 'core.templating.TemplatedTask',
  title: 'Run a task written as a text',
  description:
    'Renders `spec`, reads the result as YAML of one task, and runs it. Only tasks that a worker runs are allowed.',
  aliases: ['io.kestra.core.tasks.templating.TemplatedTask'],
  input: () => z.object({ spec: text().describe('The YAML of the task, with expressions anywhere.') }),
  output: () => z.looseObject({}),
  sideEffects: true,
  examples: [
    {
      title: 'Choose the type of a task by an input.',
      runs: true,
      code: `id: templated
namespace: company.team

tasks:
  - id: any
    type: core.templating.TemplatedTask
    spec: |
      type: core.{{ 'debug' }}.Return
      format: made from a text
`,
    },
  ],
  async run(context, { spec }) {
    return context.runNested(readSpec(spec));
  },
});

function readSpec(spec: string): Readonly<Record<string, unknown>> {
  let read: unknown;
  try {
    read = parse(spec);
  } catch (error) {
    throw new TaskFailed(`The spec is not valid YAML: ${messageOf(error)}`, { retry: false, cause: error });
  }
  if (typeof read !== 'object' || read === null || !('type' in read) || typeof read.type !== 'string') {
    throw new TaskFailed('The spec must be the YAML of one task with a type.', { retry: false });
  }
  return { ...read };
}
