import { defineControl, labels, lineIcon } from '@millrace/plugin-kit';
import { z } from 'zod';

export const labelsTask = defineControl({
  type: 'core.execution.Labels',
  role: 'execution',
  title: 'Put labels on the execution',
  description:
    'Adds labels to the running execution; a label with the same key is replaced. Keys that begin with `system.` are refused.',
  aliases: ['io.kestra.core.tasks.executions.Labels'],
  icon: lineIcon('M4 4h8l8 8-8 8-8-8z', 'M8 8v.1'),
  input: () =>
    z.object({
      labels: labels().describe('A map, a list of keys and values, or the JSON text of one of them.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Make executions findable by customer.',
      runs: true,
      code: `id: label
namespace: company.team

inputs:
  - id: customer
    type: STRING
    defaults: acme

tasks:
  - id: label
    type: core.execution.Labels
    labels:
      customer: "{{ inputs.customer }}"
`,
    },
  ],
});
