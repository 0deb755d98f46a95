import { stateTypes } from '@millrace/contract';
import { filterFields, filterTypes } from '@millrace/engine';
import { anything, choice, defineTrigger, fixed, flag, lineIcon, mapOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { timeWindow } from './timeWindow.ts';

const state = () => choice(stateTypes);

const filter = z.strictObject({
  field: choice(filterFields).describe('The field of the execution to compare.'),
  type: choice(filterTypes).describe('How it is compared.'),
  value: text().optional().describe('With what, unless several.'),
  values: z.array(text()).optional().describe('With what, for `IN` and `NOT_IN`.'),
});

const preconditions = z.strictObject({
  id: text().describe('The name under which the trigger remembers what has happened.'),
  timeWindow: timeWindow().optional(),
  resetOnSuccess: flag().default(true).describe('Start from nothing after an execution was started.'),
  flows: z
    .array(
      z.strictObject({
        namespace: text().describe('The namespace of the flow.'),
        flowId: text().optional().describe('The flow; any flow of the namespace when absent.'),
        states: z.array(state()).optional().describe('The states it must reach.'),
        labels: mapOf(text()).optional().describe('The labels its execution must have.'),
      }),
    )
    .optional()
    .describe('Each of these flows must have run.'),
  where: z
    .array(
      z.strictObject({
        id: text().describe('The name of the rule.'),
        operand: choice(['AND', 'OR']).default('AND').describe('Whether all filters must hold, or one.'),
        filters: z.array(filter).min(1).describe('What an execution must look like.'),
      }),
    )
    .optional()
    .describe('An execution must have matched each of these rules.'),
});

export const flow = defineTrigger({
  type: 'core.trigger.Flow',
  role: 'flow',
  title: 'Start an execution when another flow has run',
  description: `Looks at every execution of other flows that changes its state. Without conditions or preconditions it
reacts to all of them. With \`preconditions\` it waits until several flows have run within a time window.`,
  aliases: ['io.kestra.core.models.triggers.types.Flow'],
  icon: lineIcon('M4 4h6v6H4z', 'M14 14h6v6h-6z', 'M10 7h7v7', 'M14 11l3 3 3-3'),
  input: () =>
    z.object({
      inputs: mapOf(anything())
        .optional()
        .describe('The inputs of the execution; may use `trigger` and `outputs` of the other one.'),
      states: fixed(z.array(state()))
        .optional()
        .describe('The states that are reacted to; every final state when absent.'),
      preconditions: fixed(preconditions)
        .optional()
        .describe('What must have happened before an execution is started.'),
    }),
  output: () =>
    z.object({
      executionId: z.string().describe('The execution that was reacted to.'),
      namespace: z.string().describe('Its namespace.'),
      flowId: z.string().describe('Its flow.'),
      flowRevision: z.number().describe('The revision of its flow.'),
      state: z.string().describe('The state it reached.'),
      outputs: z.record(z.string(), z.unknown()).optional().describe('The outputs of its flow.'),
    }),
  examples: [
    {
      title: 'Run after two other flows have succeeded on the same day.',
      runs: false,
      code: `id: after_both
namespace: company.team

tasks:
  - id: go
    type: core.log.Log
    message: Both are done

triggers:
  - id: both
    type: core.trigger.Flow
    states: [SUCCESS]
    preconditions:
      id: both_done
      timeWindow:
        type: DURATION_WINDOW
        window: P1D
      flows:
        - namespace: company.team
          flowId: orders
          states: [SUCCESS]
        - namespace: company.team
          flowId: customers
          states: [SUCCESS]
`,
    },
  ],
});
