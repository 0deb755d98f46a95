import { defineTask, flag, lineIcon, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const toggle = defineTask({
  type: 'core.trigger.Toggle',
  title: 'Enable or disable a trigger',
  description: 'A task, not a trigger: it switches a trigger of this or another flow on or off.',
  aliases: ['io.kestra.core.tasks.trigger.Toggle'],
  icon: lineIcon('M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7', 'M16 12v.1'),
  input: () =>
    z.object({
      trigger: text().describe('The id of the trigger.'),
      enabled: flag().default(false).describe('On or off.'),
      flowId: text().optional().describe('The flow of the trigger; this one when absent.'),
      namespace: text().optional().describe('The namespace of the flow; this one when absent.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Stop the schedule of this flow.',
      runs: true,
      code: `id: once
namespace: company.team

tasks:
  - id: stop
    type: core.trigger.Toggle
    trigger: every_minute
    enabled: false

triggers:
  - id: every_minute
    type: core.trigger.Schedule
    cron: "* * * * *"
`,
    },
  ],
  async run(context, { trigger, enabled, flowId, namespace }) {
    const target = {
      id: trigger,
      flowId: flowId ?? context.run.flowId,
      namespace: namespace ?? context.run.namespace,
    };
    await context.actions.setTriggerEnabled(target, enabled);
    return {};
  },
});
