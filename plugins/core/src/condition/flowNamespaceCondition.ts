import { defineCondition, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const flowNamespaceCondition = defineCondition({
  type: 'core.condition.FlowNamespaceCondition',
  title: 'For one namespace',
  description: 'Looks at the namespace itself; replaced by `core.condition.ExecutionNamespace`.',
  aliases: ['io.kestra.core.models.conditions.types.FlowNamespaceCondition'],
  deprecated: true,
  onSchedule: false,
  input: () =>
    z.object({
      namespace: text().describe('The namespace.'),
      prefix: flag().default(false).describe('Also the namespaces below it.'),
    }),
  examples: [
    {
      title: 'Replaced by ExecutionNamespace.',
      runs: false,
      code: `id: flownamespacecondition
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.FlowNamespaceCondition
        namespace: company
        prefix: true
`,
    },
  ],
});
