import { parseDuration } from '@millrace/engine';
import { choice, defineTask, listOf, mapOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const publishMetric = defineTask({
  type: 'core.metric.Publish',
  title: 'Publish metrics',
  description: 'The numbers are shown with the execution and can be drawn on dashboards.',
  input: () =>
    z.object({
      metrics: listOf(
        part({
          type: choice(['counter', 'timer']).describe('A counter holds a number, a timer a duration.'),
          name: text().describe('The name.'),
          value: z
            .union([z.number(), z.string()])
            .describe('A number, or for a timer an ISO 8601 duration or seconds.'),
          tags: mapOf(text()).optional().describe('Labels that distinguish values of one metric.'),
        }),
        { min: 1 },
      ).describe('The metrics.'),
    }),
  output: () => z.object({ metrics: z.number().describe('How many were published.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Count rows by table.',
      runs: true,
      code: `id: publish
namespace: company.team

tasks:
  - id: rows
    type: core.metric.Publish
    metrics:
      - type: counter
        name: rows
        value: 42
        tags:
          table: orders
      - type: timer
        name: took
        value: PT3S
`,
    },
  ],
  run(context, { metrics }) {
    for (const { type, name, value, tags } of metrics) {
      context.metric({ type, name, value: toNumber(type, value), ...(tags && { tags }) });
    }
    return { metrics: metrics.length };
  },
});

function toNumber(type: string, value: string | number): number {
  const number = Number(value);
  const ms = type === 'timer' ? (parseDuration(String(value)) ?? number * 1000) : number;
  if (Number.isNaN(ms)) throw new TaskFailed(`"${value}" is no value for a ${type}.`, { retry: false });
  return ms;
}
