import { defineTask, dropMissing, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { identityProperties } from '../client/identity.ts';
import { Management, managementUrl, resourcePath } from './management.ts';

const Job = z.looseObject({
  name: z.string().nullish(),
  location: z.string().nullish(),
  properties: z
    .looseObject({ provisioningState: z.string().nullish(), jobState: z.string().nullish() })
    .default({}),
});

export const streamAnalyticsGetJob = defineTask({
  type: 'azure.streamanalytics.GetJob',
  title: 'Get a job of Stream Analytics',
  description: 'Reads the state of a streaming job. A job that does not exist fails the task.',
  input: () =>
    z.object({
      ...identityProperties,
      subscriptionId: text().describe('The subscription.'),
      resourceGroup: text().describe('The resource group.'),
      jobName: text().describe('The name of the job.'),
    }),
  output: () =>
    z.object({
      jobName: z.string().optional().describe('The name of the job.'),
      location: z.string().optional().describe('The region.'),
      provisioningState: z.string().optional().describe('The provisioning state.'),
      jobState: z.string().optional().describe('The state, such as `Running`.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.streamanalytics.GetJob', 'Read the state of a job.', [
      'subscriptionId: 00000000-0000-0000-0000-000000000000',
      'resourceGroup: streaming',
      'jobName: clicks',
    ]),
  ],
  async run(context, { subscriptionId, resourceGroup, jobName, ...identity }) {
    const path = resourcePath(
      ...['subscriptions', subscriptionId, 'resourceGroups', resourceGroup],
      ...['providers', 'Microsoft.StreamAnalytics', 'streamingjobs', jobName],
    );
    const job = await new Management(context, identity, 'Stream Analytics').json(
      {
        action: `job "${jobName}"`,
        method: 'GET',
        url: `${managementUrl()}${path}?api-version=2020-03-01`,
      },
      undefined,
      Job,
    );
    const { provisioningState, jobState } = job.properties;
    return dropMissing({ jobName: job.name, location: job.location, provisioningState, jobState });
  },
});
