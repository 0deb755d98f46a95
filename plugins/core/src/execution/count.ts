import { stateTypes } from '@millrace/contract';
import { isTruthy } from '@millrace/expression';
import { choice, dateTime, defineTask, listOf, oneOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';

const row = z.object({
  namespace: z.string().describe('The namespace.'),
  flowId: z.string().optional().describe('The flow.'),
  count: z.number().describe('How many executions.'),
});

export const count = defineTask({
  type: 'core.execution.Count',
  title: 'Count executions',
  description: `Counts the executions of flows or namespaces between two dates. With \`expression\` only the counts for which it
is truthy are returned; it sees \`count\` and \`flow\`.`,
  aliases: ['io.kestra.core.tasks.executions.Counts', 'core.execution.Counts'],
  input: () =>
    z.object({
      flows: listOf(
        part({
          namespace: text().describe('The namespace of the flow.'),
          flowId: text().describe('The id of the flow.'),
        }),
      )
        .optional()
        .describe('The flows to count for.'),
      namespaces: listOf(text()).optional().describe('The namespaces to count for.'),
      states: listOf(choice(stateTypes)).optional().describe('Only executions in these states.'),
      startDate: dateTime().describe('Executions started from then on.'),
      endDate: dateTime().optional().describe('Executions started until then.'),
      expression: text().optional().describe('Which counts are returned; for example `{{ count == 0 }}`.'),
    }),
  check: oneOf('flows', 'namespaces'),
  output: () =>
    z.object({
      results: z.array(row).describe('The counts.'),
      total: z.number().describe('Their sum.'),
    }),
  sideEffects: true,
  raw: ['expression'],
  examples: [
    {
      title: 'Warn about flows that have not run since yesterday.',
      runs: true,
      code: `id: idle_flows
namespace: company.team

tasks:
  - id: idle
    type: core.execution.Count
    startDate: "{{ now() | dateAdd(-1, 'DAYS') }}"
    expression: "{{ count == 0 }}"
    flows:
      - namespace: company.team
        flowId: orders

  - id: warn
    type: core.log.Log
    runIf: "{{ outputs.idle.results | length > 0 }}"
    message: "Not run since yesterday: {{ outputs.idle.results }}"
`,
    },
  ],
  async run(context, { flows, namespaces, states, startDate, endDate, expression }) {
    const targets = flows ?? (namespaces ?? []).map((namespace) => ({ namespace, flowId: undefined }));
    const results: z.infer<typeof row>[] = [];
    for (const { namespace, flowId } of targets) {
      const found = await context.actions.countExecutions({
        namespace,
        startDate,
        ...(flowId !== undefined && { flowId }),
        ...(states && { states }),
        ...(endDate !== undefined && { endDate }),
      });
      const visible = { count: found, flow: { namespace, id: flowId ?? null } };
      const isKept = expression === undefined || isTruthy(await context.render(expression, visible));
      if (isKept) results.push({ namespace, ...(flowId !== undefined && { flowId }), count: found });
    }
    return { results, total: results.reduce((sum, each) => sum + each.count, 0) };
  },
});
