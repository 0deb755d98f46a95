import { stateTypes } from '@millrace/contract';
import { choice, dateTime, defineTask, flag, lineIcon, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const purgeExecutions = defineTask({
  type: 'core.execution.PurgeExecutions',
  title: 'Delete old executions',
  description:
    'Deletes executions that ended before a date, with their logs, metrics and files. Only executions in a final state are touched.',
  aliases: ['core.storage.Purge', 'io.kestra.core.tasks.storages.Purge'],
  icon: lineIcon('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  input: () =>
    z.object({
      endDate: dateTime().describe('Executions that ended before then.'),
      startDate: dateTime().optional().describe('Executions that started after then.'),
      namespace: text().optional().describe('Only of this namespace and those below it.'),
      flowId: text().optional().describe('Only of this flow; needs `namespace`.'),
      states: listOf(choice(stateTypes)).optional().describe('Only executions in these states.'),
      purgeExecution: flag().default(true).describe('Delete the executions themselves.'),
      purgeLog: flag().default(true).describe('Delete their logs.'),
      purgeMetric: flag().default(true).describe('Delete their metrics.'),
      purgeStorage: flag().default(true).describe('Delete their files.'),
    }),
  output: () =>
    z.object({
      executionsCount: z.number().describe('How many executions were deleted.'),
      logsCount: z.number().describe('How many log lines.'),
      metricsCount: z.number().describe('How many metrics.'),
      storagesCount: z.number().describe('How many files.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Every night, delete what is older than a month.',
      runs: true,
      code: `id: purge
namespace: system

tasks:
  - id: purge
    type: core.execution.PurgeExecutions
    endDate: "{{ now() | dateAdd(-1, 'MONTHS') }}"
    states: [SUCCESS, WARNING, FAILED, KILLED, CANCELLED]

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 2 * * *"
`,
    },
  ],
  async run(context, input) {
    const { namespace, flowId, states, startDate, endDate } = input;
    const counts = await context.actions.purgeExecutions(
      {
        endDate,
        ...(startDate !== undefined && { startDate }),
        ...(namespace !== undefined && { namespace }),
        ...(flowId !== undefined && { flowId }),
        ...(states && { states }),
      },
      {
        executions: input.purgeExecution,
        logs: input.purgeLog,
        metrics: input.purgeMetric,
        storage: input.purgeStorage,
      },
    );
    return {
      executionsCount: counts.executions,
      logsCount: counts.logs,
      metricsCount: counts.metrics,
      storagesCount: counts.storage,
    };
  },
});
