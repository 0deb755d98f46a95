import { logLevels } from '@millrace/contract';
import { choice, dateTime, defineTask, lineIcon, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const purgeLogs = defineTask({
  type: 'core.log.PurgeLogs',
  title: 'Delete old logs',
  description: 'Deletes the log lines written before a date; the executions stay.',
  icon: lineIcon('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  input: () =>
    z.object({
      endDate: dateTime().describe('Lines written before then.'),
      startDate: dateTime().optional().describe('Lines written after then.'),
      namespace: text().optional().describe('Only of this namespace and those below it.'),
      flowId: text().optional().describe('Only of this flow; needs `namespace`.'),
      logLevels: listOf(choice(logLevels)).optional().describe('Only lines of these levels.'),
    }),
  output: () => z.object({ count: z.number().describe('How many lines were deleted.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Delete debug lines older than a week.',
      runs: true,
      code: `id: purge_logs
namespace: system

tasks:
  - id: purge
    type: core.log.PurgeLogs
    endDate: "{{ now() | dateAdd(-7, 'DAYS') }}"
    logLevels: [TRACE, DEBUG]
`,
    },
  ],
  async run(context, { endDate, startDate, namespace, flowId, logLevels: levels }) {
    const count = await context.actions.purgeLogs({
      endDate,
      ...(startDate !== undefined && { startDate }),
      ...(namespace !== undefined && { namespace }),
      ...(flowId !== undefined && { flowId }),
      ...(levels && { levels }),
    });
    return { count };
  },
});
