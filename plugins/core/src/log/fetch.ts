import { logLevels } from '@millrace/contract';
import { choice, defineTask, listOf, text, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';

export const fetchLogs = defineTask({
  type: 'core.log.Fetch',
  title: 'Write the logs of an execution to a file',
  description: 'Stores the log lines of this or another execution in internal storage, one row per line.',
  aliases: ['io.kestra.core.tasks.log.Fetch'],
  input: () =>
    z.object({
      namespace: text().optional().describe('The namespace of the other execution.'),
      flowId: text().optional().describe('The flow of the other execution.'),
      executionId: text().optional().describe('The other execution; this one when absent.'),
      tasksId: listOf(text()).optional().describe('Only the logs of these tasks.'),
      level: choice(logLevels).default('INFO').describe('The lowest level to include.'),
    }),
  check: ({ namespace, flowId, executionId }) =>
    (executionId ?? undefined) !== undefined || (namespace ?? flowId ?? undefined) === undefined
      ? []
      : [
          {
            severity: 'error',
            path: 'executionId',
            message: 'must be given where "namespace" or "flowId" is',
          },
        ],
  output: () =>
    z.object({
      uri: z.string().describe('The file in internal storage.'),
      size: z.number().describe('How many lines it has.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Keep the warnings of a task.',
      runs: true,
      code: `id: keep_logs
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    level: WARN
    message: Something looks odd

  - id: logs
    type: core.log.Fetch
    level: WARN
    tasksId:
      - work
`,
    },
  ],
  async run(context, { namespace, flowId, executionId, tasksId, level }) {
    let size = 0;
    async function* rows(): AsyncIterable<Uint8Array> {
      const lines = context.actions.fetchLogs({
        executionId: executionId ?? context.run.executionId,
        ...(namespace !== undefined && { namespace }),
        ...(flowId !== undefined && { flowId }),
        minLevel: level,
        ...(tasksId && { taskIds: tasksId }),
      });
      for await (const line of lines) {
        size += 1;
        yield toRow(line);
      }
    }
    const uri = await context.files.put('logs.ion', rows());
    return { uri, size };
  },
});
