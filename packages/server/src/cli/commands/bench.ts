import { executions, flows } from '@millrace/contract';
import type { Client } from '../client/client.ts';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { withOwnServer } from '../client/ownServer.ts';
import { printJson, printTable } from '../client/print.ts';
import { startProgress } from '../client/progress.ts';
import { CommandFailure, defineCommand, exitCodes, type Surroundings, UsageError } from '../command.ts';

interface Figures {
  readonly executions: number;
  readonly failed: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** From the request to the answer with the end of the execution. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export const bench = defineCommand({
  name: 'bench',
  summary: 'Measure how many executions of two tasks a second this machine, or a server, can do',
  options: {
    seconds: { type: 'string', value: 'N', help: 'how long (default 5)' },
    concurrency: { type: 'string', value: 'N', help: 'executions at the same time (default 20)' },
    ...clientOptions,
  },
  details: [
    'Without --server it starts a temporary server with an empty SQLite database.',
    'On a server it saves a flow in the namespace millrace.bench and removes it and its executions at the end.',
  ].join('\n'),
  run: async ({ values }, surroundings) => {
    const seconds = readCount(values.seconds ?? '5', '--seconds', 3_600);
    const concurrency = readCount(values.concurrency ?? '20', '--concurrency', 1_000);
    const measureOn = (client: Client) => measure(client, { seconds, concurrency }, surroundings);
    const figures =
      values.server === undefined
        ? await withOwnServer(surroundings, measureOn)
        : await measureOn(connect(values, surroundings));
    if (isJson(values, surroundings)) printJson(surroundings.out, figures);
    else printTable(surroundings.out, ['MEASURE', 'VALUE'], rowsOf(figures));
    return figures.failed > 0 ? exitCodes.failed : exitCodes.done;
  },
});

const namespace = 'millrace.bench';

async function measure(
  client: Client,
  load: { readonly seconds: number; readonly concurrency: number },
  surroundings: Surroundings,
): Promise<Figures> {
  // Two users may measure at the same time.
  const id = `two-tasks-${process.pid}-${Date.now()}`;
  const task = (name: string) => `  - id: ${name}\n    type: core.log.Log\n    message: ${name}\n`;
  await client.call(flows.createFlow, {
    body: `id: ${id}\nnamespace: ${namespace}\ntasks:\n${task('one')}${task('two')}`,
  });
  const started: string[] = [];
  const times: number[] = [];
  let failed = 0;
  const run = async () => {
    const askedAt = performance.now();
    const execution = await client.call(executions.triggerExecutionByAlias, {
      params: { namespace, id },
      query: { wait: true },
    });
    started.push(execution.id);
    times.push(performance.now() - askedAt);
    if (execution.state.current !== 'SUCCESS') failed++;
  };
  const progress = startProgress(surroundings, load.seconds);
  const beganAt = performance.now();
  const secondsGone = () => (performance.now() - beganAt) / 1_000;
  let shown = 0;
  try {
    await Promise.all(
      Array.from({ length: load.concurrency }, async () => {
        while (secondsGone() < load.seconds) {
          await run();
          while (shown < Math.min(Math.floor(secondsGone()), load.seconds)) {
            shown++;
            progress.step(`${times.length} executions`);
          }
        }
      }),
    );
    const seconds = secondsGone();
    progress.end();
    return summarise(times, failed, seconds);
  } finally {
    await removeTraces(client, id, started);
  }
}

async function removeTraces(client: Client, id: string, started: readonly string[]): Promise<void> {
  const remove = { method: 'DELETE', path: '/executions/by-ids', summary: '', bodyKind: 'json' } as const;
  for (let at = 0; at < started.length; at += 1_000) {
    await client.call({ ...remove, replyKind: 'json', status: 200 }, { body: started.slice(at, at + 1_000) });
  }
  await client.call(flows.deleteFlow, { params: { namespace, id } });
}

function summarise(times: number[], failed: number, seconds: number): Figures {
  if (times.length === 0) throw new CommandFailure('Not a single execution ended in time.');
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return {
    executions: times.length,
    failed,
    seconds: round(seconds),
    perSecond: round(times.length / seconds),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

const rowsOf = ({
  executions: count,
  failed,
  seconds,
  perSecond,
  p50Ms,
  p95Ms,
  p99Ms,
}: Figures): string[][] => [
  ['executions', String(count)],
  ['failed', String(failed)],
  ['seconds', String(seconds)],
  ['executions a second', String(perSecond)],
  ['half of them within', `${p50Ms} ms`],
  ['95 % within', `${p95Ms} ms`],
  ['99 % within', `${p99Ms} ms`],
];

function readCount(text: string, option: string, max: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new UsageError(`${option} is "${text}"; expected a whole number from 1 to ${max}.`);
  return count;
}
