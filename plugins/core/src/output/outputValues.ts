import { anything, defineTask, mapOf } from '@millrace/plugin-kit';
import { z } from 'zod';

export const outputValues = defineTask({
  type: 'core.output.OutputValues',
  title: 'Return values for later tasks',
  description:
    'Renders every value and returns the map. A rendered text stays a text; numbers, lists and maps written as such keep their type.',
  input: () =>
    z.object({ values: mapOf(anything()).default({}).describe('The names and values to return.') }),
  output: () => z.object({ values: z.record(z.string(), z.unknown()).describe('The rendered values.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Return two values and use one of them.',
      runs: true,
      code: `id: values
namespace: company.team

tasks:
  - id: order
    type: core.output.OutputValues
    values:
      number: 42
      customer: "{{ flow.namespace }}"

  - id: show
    type: core.log.Log
    message: "Order {{ outputs.order.values.number }} of {{ outputs.order.values.customer }}"
`,
    },
  ],
  run: (_, { values }) => ({ values }),
});
