import { aCondition, defineCondition, deprecated, duration, fixed, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { timeWindow } from '../trigger/timeWindow.ts';

export const multipleCondition = defineCondition({
  type: 'core.condition.MultipleCondition',
  title: 'After several executions',
  description:
    'True when every one of the conditions was true within the time window; replaced by `preconditions` of `core.trigger.Flow`.',
  aliases: ['io.kestra.core.models.conditions.types.MultipleCondition'],
  deprecated: true,
  onSchedule: false,
  input: () =>
    z.object({
      id: text().describe('The name under which the trigger remembers what has happened.'),
      conditions: fixed(z.record(z.string(), aCondition())).describe('The conditions, by name.'),
      timeWindow: timeWindow().optional(),
      resetOnSuccess: flag().default(true).describe('Start from nothing after an execution was started.'),
      window: deprecated(duration().optional(), 'use `timeWindow`.'),
      windowAdvance: deprecated(duration().optional(), 'use `timeWindow`.'),
    }),
  examples: [
    {
      title: 'After two flows.',
      runs: false,
      code: `id: multiplecondition
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.MultipleCondition
        id: both
        conditions:
          orders:
            type: core.condition.ExecutionFlow
            namespace: company.team
            flowId: orders
          customers:
            type: core.condition.ExecutionFlow
            namespace: company.team
            flowId: customers
`,
    },
  ],
});
