import { choice, defineCondition, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const executionNamespace = defineCondition({
  type: 'core.condition.ExecutionNamespace',
  title: 'After an execution of one namespace',
  description: 'True when the other execution is of that namespace.',
  aliases: [
    'core.condition.ExecutionNamespaceCondition',
    'io.kestra.core.models.conditions.types.ExecutionNamespaceCondition',
  ],
  onSchedule: false,
  input: () =>
    z.object({
      namespace: text().describe('The namespace.'),
      comparison: choice(['EQUALS', 'PREFIX', 'SUFFIX']).optional().describe('How it is compared.'),
      prefix: flag().default(false).describe('Also the namespaces below it, when `comparison` is absent.'),
    }),
  examples: [
    {
      title: 'After any flow of the company.',
      runs: false,
      code: `id: executionnamespace
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.ExecutionNamespace
        namespace: company
        comparison: PREFIX
`,
    },
  ],
});
