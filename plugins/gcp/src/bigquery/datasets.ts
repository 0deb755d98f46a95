import { choice, flag, integer, listOf, mapOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json, mapAt, textAt } from '../google/json.ts';
import { bigqueryProperties, bigqueryUrl, retryProperties, toMs } from './jobs.ts';

const datasetProperties = {
  name: text().describe('The dataset, as `dataset` or `project.dataset`.'),
  acl: listOf(
    part({
      entity: part({
        type: choice(['DOMAIN', 'GROUP', 'USER', 'IAM_MEMBER']).describe('What the value names.'),
        value: text().describe('The domain, the mail address or the member.'),
      }).describe('Who has access.'),
      role: choice(['READER', 'WRITER', 'OWNER']).describe('What they may do.'),
    }),
  )
    .optional()
    .describe('Who may reach the dataset; replaces the whole list.'),
  defaultTableLifetime: integer({ min: 1 }).optional().describe('How long new tables live, in milliseconds.'),
  description: text().optional().describe('What the dataset is for.'),
  friendlyName: text().optional().describe('A name for people.'),
  location: text().optional().describe('Where the data is, such as `EU`.'),
  defaultEncryptionConfiguration: part({ kmsKeyName: text().optional().describe('The key.') })
    .optional()
    .describe('The key that encrypts new tables.'),
  defaultPartitionExpirationMs: integer({ min: 1 })
    .optional()
    .describe('How long new partitions live, in milliseconds.'),
  labels: mapOf(text()).optional().describe('Labels of the dataset.'),
};
type DatasetInput = z.infer<z.ZodObject<typeof datasetProperties>>;

const members = {
  DOMAIN: 'domain',
  GROUP: 'groupByEmail',
  USER: 'userByEmail',
  IAM_MEMBER: 'iamMember',
} as const;

const toResource = (input: DatasetInput): Json =>
  dropMissing({
    access: input.acl?.map(({ entity, role }) => ({ role, [members[entity.type]]: entity.value })),
    defaultTableExpirationMs: toMs(input.defaultTableLifetime),
    description: input.description,
    friendlyName: input.friendlyName,
    location: input.location,
    defaultEncryptionConfiguration: input.defaultEncryptionConfiguration,
    defaultPartitionExpirationMs: toMs(input.defaultPartitionExpirationMs),
    labels: input.labels,
  });

const optional = () => z.string().optional();
const datasetOutput = z.object({
  dataset: z.string().describe('The dataset.'),
  project: z.string().describe('The project.'),
  friendlyName: optional().describe('The name for people.'),
  description: optional().describe('What the dataset is for.'),
  location: optional().describe('Where the data is.'),
});

function toOutput(json: Json): z.infer<typeof datasetOutput> {
  const reference = mapAt(json, 'datasetReference');
  return dropMissing({
    dataset: textAt(reference, 'datasetId') ?? '',
    project: textAt(reference, 'projectId') ?? '',
    friendlyName: textAt(json, 'friendlyName'),
    description: textAt(json, 'description'),
    location: textAt(json, 'location'),
  });
}

interface Place {
  readonly datasetId: string;
  readonly projectId: string;
  readonly all: string;
  readonly url: string;
}

export async function datasetOf({ project }: Cloud, name: string): Promise<Place> {
  const [datasetId = '', projectId = await project()] = name
    .trim()
    .split(/\.(?=[^.]*$)/)
    .reverse();
  const all = `${bigqueryUrl}/${segment(projectId)}/datasets`;
  return { datasetId, projectId, all, url: `${all}/${segment(datasetId)}` };
}

async function update(cloud: Cloud, { location: _, ...input }: DatasetInput) {
  const { url } = await datasetOf(cloud, input.name);
  const { body } = await cloud.google.json({
    url,
    method: 'PATCH',
    body: toResource(input),
    idempotent: true,
  });
  return toOutput(body);
}

export const createDataset = defineGcpTask({
  type: 'gcp.bigquery.CreateDataset',
  title: 'Create a dataset in BigQuery',
  description:
    'Creates a dataset. `ifExists` says what happens when there is one of that name: fail, change it, or leave it.',
  properties: {
    ...datasetProperties,
    ...retryProperties,
    ifExists: choice(['ERROR', 'UPDATE', 'SKIP'])
      .default('ERROR')
      .describe('What to do with a dataset that exists.'),
  },
  output: datasetOutput,
  examples: [
    taskExample(
      'gcp.bigquery.CreateDataset',
      'Create a dataset in Europe.',
      'name: shop\nlocation: EU\nifExists: SKIP',
    ),
  ],
  async run(cloud, { ifExists, ...input }) {
    const { all, url, datasetId, projectId } = await datasetOf(cloud, input.name);
    const { status, body } = await cloud.google.json({
      url: all,
      body: { datasetReference: { datasetId, projectId }, ...toResource(input) },
      allow: ifExists === 'ERROR' ? [] : [409],
    });
    if (status !== 409) return toOutput(body);
    return ifExists === 'UPDATE' ? update(cloud, input) : toOutput(await cloud.google.get(url));
  },
});

export const updateDataset = defineGcpTask({
  type: 'gcp.bigquery.UpdateDataset',
  title: 'Change a dataset in BigQuery',
  description:
    'Changes the properties of a dataset that are given. The location of a dataset cannot be changed.',
  properties: { ...datasetProperties, ...retryProperties },
  output: datasetOutput,
  examples: [
    taskExample(
      'gcp.bigquery.UpdateDataset',
      'Let tables expire after a day.',
      'name: scratch\ndefaultTableLifetime: 86400000',
    ),
  ],
  run: (cloud, input) => update(cloud, input),
});

export const deleteDataset = defineGcpTask({
  type: 'gcp.bigquery.DeleteDataset',
  title: 'Delete a dataset in BigQuery',
  description: 'Deletes a dataset, which must be empty unless `deleteContents` is set.',
  properties: {
    ...bigqueryProperties,
    name: text().describe('The dataset, as `dataset` or `project.dataset`.'),
    deleteContents: flag().optional().describe('Delete the tables of the dataset too.'),
  },
  output: () => z.object({ dataset: z.string().describe('The dataset.') }),
  examples: [
    taskExample(
      'gcp.bigquery.DeleteDataset',
      'Delete a dataset with its tables.',
      'name: scratch\ndeleteContents: true',
    ),
  ],
  async run(cloud, { name, deleteContents }) {
    const { url, datasetId } = await datasetOf(cloud, name);
    await cloud.google.json({ url, method: 'DELETE', query: { deleteContents } });
    return { dataset: datasetId };
  },
});
