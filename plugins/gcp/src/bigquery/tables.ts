import { choice, duration, flag, mapOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json } from '../google/json.ts';
import { datasetOf } from './datasets.ts';
import { bigqueryProperties } from './jobs.ts';
import { tableDefinitionProperty, tableOutput, toTableOutput, toTableResource } from './tableDefinition.ts';

const tableProperties = {
  dataset: text().describe('The dataset, as `dataset` or `project.dataset`.'),
  table: text().describe('The table.'),
  ...bigqueryProperties,
};

const changeProperties = {
  ...tableProperties,
  tableDefinition: tableDefinitionProperty(),
  friendlyName: text().optional().describe('A name for people.'),
  description: text().optional().describe('What the table is for.'),
  labels: mapOf(text()).optional().describe('Labels of the table.'),
  requirePartitionFilter: flag().optional().describe('Queries must filter by the partitions of the table.'),
  encryptionConfiguration: part({ kmsKeyName: text().optional().describe('The key.') })
    .optional()
    .describe('The key that encrypts the table.'),
  expirationDuration: duration().optional().describe('The table is deleted after this time.'),
};
type ChangeInput = z.infer<z.ZodObject<typeof changeProperties>>;

const toResource = (input: ChangeInput): Json =>
  dropMissing({
    ...toTableResource(input.tableDefinition),
    friendlyName: input.friendlyName,
    description: input.description,
    labels: input.labels,
    ...(input.requirePartitionFilter !== undefined && {
      requirePartitionFilter: input.requirePartitionFilter,
    }),
    encryptionConfiguration: input.encryptionConfiguration,
    expirationTime:
      input.expirationDuration === undefined ? undefined : String(Date.now() + input.expirationDuration),
  });

async function placeOf(
  cloud: Cloud,
  { dataset, table }: { readonly dataset: string; readonly table: string },
) {
  const { datasetId, projectId, url } = await datasetOf(cloud, dataset);
  return {
    all: `${url}/tables`,
    url: `${url}/tables/${segment(table)}`,
    reference: { projectId, datasetId, tableId: table },
  };
}

export const createTable = defineGcpTask({
  type: 'gcp.bigquery.CreateTable',
  title: 'Create a table in BigQuery',
  description:
    'Creates a table, a view, a materialized view or a table over files, and returns what BigQuery knows about it.',
  properties: changeProperties,
  output: tableOutput,
  examples: [
    taskExample(
      'gcp.bigquery.CreateTable',
      'Create a table with partitions.',
      `dataset: shop
table: orders
tableDefinition:
  type: TABLE
  schema:
    fields:
      - name: id
        type: INT64
        mode: REQUIRED
      - name: created
        type: DATE
  standardTableDefinition:
    timePartitioning:
      type: DAY
      field: created`,
    ),
  ],
  async run(cloud, input) {
    const { all, reference } = await placeOf(cloud, input);
    return toTableOutput(await cloud.google.post(all, { tableReference: reference, ...toResource(input) }));
  },
});

export const updateTable = defineGcpTask({
  type: 'gcp.bigquery.UpdateTable',
  title: 'Change a table in BigQuery',
  description: 'Changes the properties of a table that are given.',
  properties: changeProperties,
  output: tableOutput,
  examples: [
    taskExample(
      'gcp.bigquery.UpdateTable',
      'Let a table expire.',
      'dataset: shop\ntable: orders_copy\nexpirationDuration: P7D',
    ),
  ],
  async run(cloud, input) {
    const { url } = await placeOf(cloud, input);
    const { body } = await cloud.google.json({
      url,
      method: 'PATCH',
      body: toResource(input),
      idempotent: true,
    });
    return toTableOutput(body);
  },
});

export const tableMetadata = defineGcpTask({
  type: 'gcp.bigquery.TableMetadata',
  title: 'Read what BigQuery knows about a table',
  description: 'Returns the columns, partitions, size and dates of a table.',
  properties: {
    ...tableProperties,
    ifNotExists: choice(['ERROR', 'SKIP'])
      .default('ERROR')
      .describe('What to do when there is no such table: fail, or return only its name.'),
  },
  output: tableOutput,
  examples: [
    taskExample('gcp.bigquery.TableMetadata', 'How many rows has a table?', 'dataset: shop\ntable: orders'),
  ],
  async run(cloud, input) {
    const { url, reference } = await placeOf(cloud, input);
    const { status, body } = await cloud.google.json({ url, allow: [404] });
    if (status !== 404) return toTableOutput(body);
    const { projectId, datasetId, tableId } = reference;
    if (input.ifNotExists === 'ERROR')
      throw new TaskFailed(`The table ${projectId}.${datasetId}.${tableId} does not exist.`, {
        retry: false,
      });
    return { projectId, datasetId, table: tableId };
  },
});

export const deleteTable = defineGcpTask({
  type: 'gcp.bigquery.DeleteTable',
  title: 'Delete a table in BigQuery',
  description: 'Deletes a table or a view with all its rows.',
  properties: tableProperties,
  output: () =>
    z.object({
      projectId: z.string().describe('The project.'),
      datasetId: z.string().describe('The dataset.'),
      table: z.string().describe('The table.'),
    }),
  examples: [taskExample('gcp.bigquery.DeleteTable', 'Delete a table.', 'dataset: shop\ntable: orders_copy')],
  async run(cloud, input) {
    const { url, reference } = await placeOf(cloud, input);
    await cloud.google.json({ url, method: 'DELETE' });
    return { projectId: reference.projectId, datasetId: reference.datasetId, table: reference.tableId };
  },
});
