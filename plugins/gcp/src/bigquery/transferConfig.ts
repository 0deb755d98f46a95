import { duration, flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { count, counter, defineGcpTask, taskExample, timer } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';

const transferUrl = 'https://bigquerydatatransfer.googleapis.com/v1';

export const runTransferConfig = defineGcpTask({
  type: 'gcp.bigquery.RunTransferConfig',
  title: 'Run a transfer of the BigQuery Data Transfer Service',
  description: `Starts a run of a transfer, such as a scheduled query, and waits for its end. With \`reattach\` a run that is already pending or running is waited for
instead.`,
  properties: {
    transferConfigName: text().describe(
      'The name of the transfer, `projects/…/locations/…/transferConfigs/…`.',
    ),
    reattach: flag()
      .default(true)
      .describe('Wait for a run that has not ended, instead of starting another one.'),
    reattachMaxAge: duration().optional().describe('Only runs that started within this time are waited for.'),
    wait: flag().default(true).describe('Wait for the end of the run.'),
    pollInterval: duration().prefault('PT15S').describe('The pause between two polls.'),
    maxDuration: duration().prefault('PT1H').describe('How long the task waits.'),
  },
  output: () =>
    z.object({
      runName: z.string().describe('The name of the run.'),
      state: z.string().describe('Its state.'),
      reattached: z.boolean().describe('Whether the run had been started before.'),
      destinationDatasetId: z.string().optional().describe('The dataset that it writes to.'),
      projectId: z.string().optional().describe('The project.'),
      location: z.string().optional().describe('Where the transfer runs.'),
    }),
  metrics: [
    counter('reattached', 'Whether the run had been started before.'),
    timer('duration', 'How long the task waited.'),
  ],
  examples: [
    taskExample(
      'gcp.bigquery.RunTransferConfig',
      'Run a scheduled query now.',
      'transferConfigName: projects/my-project/locations/eu/transferConfigs/1234',
    ),
  ],
  async run({ google }, input, context) {
    const startedAt = Date.now();
    const config = `${transferUrl}/${input.transferConfigName}`;
    const earlier = input.reattach ? await openRun() : undefined;
    const run = earlier ?? (await startRun());
    const name = textAt(run, 'name') ?? '';
    const { pollInterval: intervalMs, maxDuration: maxMs } = input;
    const ended = input.wait
      ? await pollUntil(google, { what: `The run ${name}`, intervalMs, maxMs }, async () => {
          const now = await google.get(`${transferUrl}/${name}`);
          return isOpen(now) ? undefined : now;
        })
      : run;
    const state = textAt(ended, 'state') ?? 'PENDING';
    count(context, { reattached: earlier ? 1 : 0, duration: Date.now() - startedAt });
    if (input.wait && state !== 'SUCCEEDED')
      throw new TaskFailed(
        `The run ${name} ended in state ${state}: ${textAt(mapAt(ended, 'errorStatus'), 'message') ?? 'no reason given'}`,
      );
    const [, projectId, location] = /^projects\/([^/]+)(?:\/locations\/([^/]+))?/.exec(name) ?? [];
    return dropMissing({
      runName: name,
      state,
      reattached: earlier !== undefined,
      destinationDatasetId: textAt(ended, 'destinationDatasetId'),
      projectId,
      location,
    });

    async function openRun(): Promise<Json | undefined> {
      const query = { states: ['PENDING', 'RUNNING'] };
      for await (const each of google.list({ url: `${config}/runs`, query }, 'transferRuns')) {
        const age = startedAt - Date.parse(textAt(each, 'startTime') ?? textAt(each, 'scheduleTime') ?? '');
        if (input.reattachMaxAge === undefined || !(age > input.reattachMaxAge)) return each;
      }
      return undefined;
    }

    async function startRun(): Promise<Json> {
      const requestedRunTime = new Date(startedAt).toISOString();
      const [started] = mapsAt(await google.post(`${config}:startManualRuns`, { requestedRunTime }), 'runs');
      if (!started) throw new TaskFailed(`"${input.transferConfigName}" started no run.`);
      return started;
    }
  },
});

const isOpen = (run: Json): boolean => ['PENDING', 'RUNNING'].includes(textAt(run, 'state') ?? 'PENDING');
