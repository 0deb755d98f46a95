import { defineTask, integer, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { readText } from '../client/http.ts';
import { resourcePath } from '../rest/management.ts';
import { Batch, batchProperties } from './batchApi.ts';

const Pool = z.looseObject({
  id: z.string(),
  targetDedicatedNodes: z.number().nullish(),
  targetLowPriorityNodes: z.number().nullish(),
});

export const batchPoolResize = defineTask({
  type: 'azure.batch.pool.Resize',
  title: 'Resize a pool of Azure Batch',
  description:
    'Sets the number of compute nodes of a pool. The task does not wait until the nodes are started or removed.',
  input: () =>
    z.object({
      ...batchProperties,
      poolId: text().describe('The id of the pool.'),
      targetDedicatedNodes: integer({ min: 0 }).default(0).describe('The number of dedicated nodes.'),
      targetLowPriorityNodes: integer({ min: 0 })
        .default(0)
        .describe('The number of low-priority (spot) nodes.'),
    }),
  output: () =>
    z.object({
      pool: z
        .object({
          id: z.string().describe('The id.'),
          targetDedicatedNodes: z.number().optional().describe('The number of dedicated nodes.'),
          targetLowPriorityNodes: z.number().optional().describe('The number of low-priority nodes.'),
        })
        .describe('The pool after the request.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.batch.pool.Resize', 'Start four nodes.', [
      'endpoint: https://company.westeurope.batch.azure.com',
      'account: company',
      'accessKey: "{{ secret(\'AZURE_BATCH_KEY\') }}"',
      'poolId: workers',
      'targetDedicatedNodes: 4',
    ]),
  ],
  async run(context, { poolId, targetDedicatedNodes, targetLowPriorityNodes, ...connection }) {
    const batch = new Batch(context, connection);
    const path = `/pools${resourcePath(poolId)}`;
    const size = { targetDedicatedNodes, targetLowPriorityNodes };
    await readText(await batch.post(`the new size of pool "${poolId}"`, `${path}/resize`, size));
    const pool = await batch.get(`pool "${poolId}"`, path, Pool);
    return {
      pool: {
        id: pool.id,
        targetDedicatedNodes: pool.targetDedicatedNodes ?? 0,
        targetLowPriorityNodes: pool.targetLowPriorityNodes ?? 0,
      },
    };
  },
});
