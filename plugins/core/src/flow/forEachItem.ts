import { branches, defineControl, integer, lineIcon, part, storageUri, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { calledFlow } from './calledFlow.ts';

export const forEachItem = defineControl({
  type: 'core.flow.ForEachItem',
  role: 'flowable',
  title: 'Run a flow for each batch of a file',
  description: `Cuts a file of internal storage into batches and starts one execution of another flow per batch. In \`inputs\` and
\`labels\`, \`taskrun.items\` is the URI of the batch and \`taskrun.iteration\` its number from 1.

It shows as three task runs: \`<id>_split\` cuts the file, \`<id>_items\` starts the executions and counts how they end, and
\`<id>_merge\` puts their outputs into one file. They hold the outputs: \`outputs.<id>_items.numberOfBatches\`,
\`outputs.<id>_items.iterations.SUCCESS\`, \`outputs.<id>_merge.subflowOutputs\`.`,
  aliases: ['io.kestra.core.tasks.flows.ForEachItem'],
  icon: lineIcon('M5 3h9l4 4v14H5z', 'M14 3v4h4', 'M8 12h7', 'M8 16h7'),
  input: () =>
    z.object({
      items: storageUri().describe('The file to cut.'),
      batch: part({
        rows: integer({ min: 1 }).optional().describe('Lines per batch.'),
        partitions: integer({ min: 1 }).optional().describe('Cut into this many batches.'),
        bytes: text().optional().describe('The size of a batch, for example `10MB`.'),
        separator: text().default('\n').describe('The text that ends an item.'),
      })
        .optional()
        .describe('How to cut; one line per batch when absent.'),
      ...calledFlow({
        transmitFailed: 'End as the started executions ended: FAILED when one of them has failed.',
      }),
      ...branches,
    }),
  output: () =>
    z.object({
      iterations: z
        .record(z.string(), z.number())
        .optional()
        .describe('How many executions are in each state; an output of `<id>_items`.'),
      numberOfBatches: z
        .number()
        .optional()
        .describe('How many batches there were; an output of `<id>_items`.'),
      subflowOutputs: z
        .string()
        .optional()
        .describe('The URI of a file with the outputs of all executions; an output of `<id>_merge`.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Handle a file a thousand lines at a time.',
      runs: false,
      code: `id: batches
namespace: company.team

inputs:
  - id: orders
    type: FILE

tasks:
  - id: each_batch
    type: core.flow.ForEachItem
    items: "{{ inputs.orders }}"
    batch:
      rows: 1000
    namespace: company.team
    flowId: handle_orders
    inputs:
      orders: "{{ taskrun.items }}"
`,
    },
  ],
});
