import { logLevels } from '@millrace/contract';
import type { LogExporterDefinition, LogLine, TaskContext } from '@millrace/plugin-kit';
import {
  aLogExporter,
  choice,
  defineTask,
  duration,
  fixed,
  readInput,
  renderProperties,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

/** Lines of the last moments may still be on their way to the disk. */
const settleMs = 2_000;

export const logShipper = defineTask({
  type: 'core.log.LogShipper',
  title: 'Send the log elsewhere',
  aliases: ['ee.core.log.LogShipper'],
  description: `Hands the lines of the log that came since the last time to log exporters. How far it came is kept in the
key-value store under \`offsetKey\`, and only moves on when every exporter has taken its lines.`,
  input: () =>
    z.object({
      namespace: text().optional().describe('Only lines of this namespace and of those below it.'),
      flowId: text().optional().describe('Only lines of this flow.'),
      logLevelFilter: choice(logLevels).default('INFO').describe('The lowest level that is sent.'),
      lookbackPeriod: duration().prefault('P1D').describe('How far to look back the first time.'),
      offsetKey: text().default('log-shipper').describe('The key under which it remembers how far it came.'),
      logExporters: fixed(z.array(aLogExporter()).min(1)).describe('Where the lines go.'),
    }),
  output: () =>
    z.object({
      size: z.number().describe('How many lines there were.'),
      outputs: z.record(z.string(), z.unknown()).describe('What each exporter has returned, by its id.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Every hour, keep what went wrong in a file.',
      runs: true,
      code: `id: ship_errors
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logLevelFilter: ERROR
    logExporters:
      - id: file
        type: core.log.exporter.File

triggers:
  - id: hourly
    type: core.trigger.Schedule
    cron: "0 * * * *"
`,
    },
  ],
  async run(context, input) {
    const now = Date.now();
    const endMs = now - settleMs;
    const endDate = new Date(endMs).toISOString();
    const known = await context.kv.get(input.offsetKey, context.run.namespace);
    const startDate = typeof known === 'string' ? known : new Date(now - input.lookbackPeriod).toISOString();
    const outputs: Record<string, unknown> = {};
    let size = 0;
    for (const [index, written] of input.logExporters.entries()) {
      const { exporter, properties, id } = await prepare(context, written, index);
      let count = 0;
      const lines = async function* (): AsyncIterable<LogLine> {
        const { namespace, flowId, logLevelFilter: minLevel } = input;
        const filter = {
          minLevel,
          startDate,
          endDate,
          ...(namespace === undefined ? {} : { namespace }),
          ...(flowId === undefined ? {} : { flowId }),
        };
        for await (const line of context.actions.fetchLogs(filter)) {
          count += 1;
          yield line;
        }
      };
      outputs[id] = await exporter.export(context, properties, lines());
      size = Math.max(size, count);
    }
    // Both bounds are inclusive at millisecond precision, so the next run starts one millisecond later.
    await context.kv.set(input.offsetKey, new Date(endMs + 1).toISOString(), {
      namespace: context.run.namespace,
      overwrite: true,
      type: 'STRING',
    });
    return { size, outputs };
  },
});

async function prepare(
  context: TaskContext,
  { type, id, ...written }: Readonly<Record<string, unknown>>,
  index: number,
): Promise<{
  readonly exporter: LogExporterDefinition;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id: string;
}> {
  const exporter = context.findType(String(type));
  if (exporter?.kind !== 'logExporter') {
    throw new TaskFailed(`The log exporter "${String(type)}" is not installed.`, { retry: false });
  }
  const rendered = await renderProperties(exporter, written, context);
  return {
    exporter,
    properties: readInput(exporter.type, exporter.input, rendered),
    id: typeof id === 'string' ? id : `exporter${index + 1}`,
  };
}
