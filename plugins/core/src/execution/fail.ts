import { isTruthy } from '@millrace/expression';
import { defineTask, lineIcon, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const fail = defineTask({
  type: 'core.execution.Fail',
  title: 'Fail on purpose',
  description: 'Fails always, or only when `condition` renders to a truthy value.',
  aliases: ['io.kestra.core.tasks.executions.Fail'],
  icon: lineIcon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18', 'M9 9l6 6', 'M15 9l-6 6'),
  input: () =>
    z.object({
      condition: text().optional().describe('Fail only when this is truthy.'),
      errorMessage: text().default('Task failure').describe('The message in the log.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Refuse an input.',
      runs: true,
      code: `id: refuse
namespace: company.team

inputs:
  - id: amount
    type: INT
    defaults: 10

tasks:
  - id: not_too_much
    type: core.execution.Fail
    condition: "{{ inputs.amount > 1000 }}"
    errorMessage: "{{ inputs.amount }} is too much"

  - id: pay
    type: core.log.Log
    message: "Paying {{ inputs.amount }}"
`,
    },
  ],
  run(_, { condition, errorMessage }) {
    if (condition === undefined || isTruthy(condition)) throw new TaskFailed(errorMessage);
    return {};
  },
});
