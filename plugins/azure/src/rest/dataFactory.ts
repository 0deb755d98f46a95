import {
  anything,
  defineTask,
  duration,
  flag,
  mapOf,
  part,
  TaskFailed,
  text,
  toRow,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { identityProperties } from '../client/identity.ts';
import { Management, managementUrl, resourcePath } from './management.ts';

const version = 'api-version=2018-06-01';
const Run = z.looseObject({
  status: z.string(),
  message: z.string().nullish(),
  durationInMs: z.number().nullish(),
});
const Activities = z.object({
  value: z.array(z.record(z.string(), z.unknown())).default([]),
  continuationToken: z.string().nullish(),
});

export const dataFactoryCreateRun = defineTask({
  type: 'azure.datafactory.CreateRun',
  title: 'Run a pipeline of Data Factory',
  description:
    'Starts a pipeline, waits for its end and stores what its activities did in a file. A run that does not succeed fails the task.',
  input: () =>
    z.object({
      ...identityProperties,
      subscriptionId: text().describe('The subscription.'),
      resourceGroupName: text().optional().describe('The resource group.'),
      factoryName: text().optional().describe('The factory.'),
      pipelineName: text().optional().describe('The pipeline.'),
      parameters: mapOf(anything()).default({}).describe('The parameters of the pipeline.'),
      wait: flag().default(true).describe('Wait for the end.'),
      checkFrequency: part({
        maxDuration: duration().prefault('PT1H').describe('How long to wait at most.'),
        interval: duration().prefault('PT5S').describe('The pause between two questions about its state.'),
      })
        .prefault({})
        .describe('How to wait.'),
    }),
  output: () =>
    z.object({
      runId: z.string().describe('The id of the run.'),
      uri: z.string().optional().describe('A file with an activity per row; absent without `wait`.'),
    }),
  metrics: [
    { name: 'pipeline.duration.ms', type: 'timer', description: 'How long the pipeline took.' },
    { name: 'activities.count', type: 'counter', description: 'How many activities ran.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('azure.datafactory.CreateRun', 'Run a pipeline.', [
      'subscriptionId: 00000000-0000-0000-0000-000000000000',
      'resourceGroupName: data',
      'factoryName: company',
      'pipelineName: load',
    ]),
  ],
  async run(context, input) {
    const client = new Management(context, input, 'Data Factory');
    const factory = `${managementUrl()}${resourcePath('subscriptions', input.subscriptionId, 'resourceGroups', input.resourceGroupName, 'providers', 'Microsoft.DataFactory', 'factories', input.factoryName)}`;
    const { runId } = await client.json(
      {
        action: `a run of "${input.pipelineName}"`,
        method: 'POST',
        url: `${factory}/pipelines${resourcePath(input.pipelineName)}/createRun?${version}`,
        once: true,
      },
      input.parameters,
      z.object({ runId: z.string() }),
    );
    if (!input.wait) return { runId };
    const { interval, maxDuration } = input.checkFrequency;
    const waiting = { intervalMs: interval, maxMs: maxDuration, what: `The run ${runId}` };
    const started = Date.now();
    const run = await waitFor(context, waiting, async () => {
      const url = `${factory}/pipelineruns${resourcePath(runId)}?${version}`;
      const found = await client.json({ action: 'the state of a run', method: 'GET', url }, undefined, Run);
      return ['Queued', 'InProgress', 'Canceling'].includes(found.status) ? undefined : found;
    });
    let count = 0;
    const rows = async function* () {
      for (let continuationToken: string | null | undefined; ; ) {
        const page = await client.json(
          {
            action: 'the activities of a run',
            method: 'POST',
            url: `${factory}/pipelineruns${resourcePath(runId)}/queryActivityruns?${version}`,
          },
          {
            lastUpdatedAfter: new Date(started - 3_600_000).toISOString(),
            lastUpdatedBefore: new Date(Date.now() + 3_600_000).toISOString(),
            ...(continuationToken && { continuationToken }),
          },
          Activities,
        );
        for (const activity of page.value) {
          count++;
          yield toRow(activity);
        }
        continuationToken = page.continuationToken;
        if (!continuationToken) return;
      }
    };
    const uri = await context.files.put('activities.ion', rows());
    context.metric({ name: 'activities.count', type: 'counter', value: count });
    context.metric({
      name: 'pipeline.duration.ms',
      type: 'timer',
      value: run.durationInMs ?? Date.now() - started,
    });
    if (run.status !== 'Succeeded')
      throw new TaskFailed(`The run ${runId} ended as ${run.status}: ${run.message ?? 'no reason given'}`, {
        outputs: { runId, uri },
      });
    return { runId, uri };
  },
});
