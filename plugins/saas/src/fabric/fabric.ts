import { type JsonMap, mapIn, nameOfUri, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { entraLogin } from '../microsoft365/login.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const login = {
  tenantId: may.text('The id of the directory (tenant) of Microsoft Entra ID.'),
  clientId: may.text('The id of the application.'),
  clientSecret: may.secret('A secret of the application.'),
};
const loginExample = {
  tenantId: "{{ secret('AZURE_TENANT_ID') }}",
  clientId: "{{ secret('AZURE_CLIENT_ID') }}",
  clientSecret: "{{ secret('AZURE_CLIENT_SECRET') }}",
  workspaceId: 'w1',
};
const workspace = { workspaceId: need.text('The id of the workspace.') };

const engineering = defineService({
  name: 'Microsoft Fabric',
  prefix: 'microsoft.fabric.data.engineering',
  baseUrl: 'https://api.fabric.microsoft.com/v1',
  properties: {
    ...login,
    ...workspace,
    parameters: preset.map({}, 'The parameters of the run.'),
    wait: preset.flag(true, 'Wait for the end of the run.'),
    pollFrequency: preset.duration('PT5S', 'The pause between two looks at the state of the run.'),
  },
  auth: (input) => entraLogin(input, 'https://api.fabric.microsoft.com/.default'),
  example: loginExample,
});

interface Job {
  readonly workspaceId: string;
  readonly itemId: string;
  readonly jobType: string;
  readonly parameters: JsonMap;
  readonly wait: boolean;
  readonly pollFrequency: number;
}

/** Starts a job of an item and waits for its end; the task fails unless the job completed. */
async function runJob(
  client: RestClient,
  context: TaskContext,
  job: Job,
): Promise<{ id: string; status: string }> {
  const path = `/workspaces/${encodeURIComponent(job.workspaceId)}/items/${encodeURIComponent(job.itemId)}/jobs/instances`;
  const hasParameters = Object.keys(job.parameters).length > 0;
  const { headers } = await client.send({
    method: 'POST',
    path,
    query: { jobType: job.jobType },
    body: hasParameters ? { executionData: { parameters: job.parameters } } : {},
  });
  const id = /\/instances\/([^/?]+)/.exec(headers.location?.[0] ?? '')?.[1];
  if (id === undefined) throw new TaskFailed('Microsoft Fabric did not name the run that it started.');
  if (!job.wait) return { id, status: 'NotStarted' };
  const status = await waitFor(context, {
    what: `The run ${id}`,
    everyMs: job.pollFrequency,
    atMostMs: Number.POSITIVE_INFINITY,
    poll: async () => {
      const found = await client.ask({ path: `${path}/${id}` });
      const state = textOf(found.status);
      if (state === 'NotStarted' || state === 'InProgress') return undefined;
      if (state === 'Completed') return state;
      throw new TaskFailed(
        `The run ${id} ended as ${state}: ${textOf(mapIn(found.failureReason).message) ?? ''}`,
      );
    },
  });
  return { id, status };
}

/** Notebooks and Spark jobs want the type of each parameter. */
const typed = (parameters: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      {
        value: typeof value === 'object' ? JSON.stringify(value) : value,
        type:
          typeof value === 'number'
            ? Number.isInteger(value)
              ? 'int'
              : 'float'
            : typeof value === 'boolean'
              ? 'bool'
              : 'string',
      },
    ]),
  );

const waits = 'The task waits for the end of the run; use the `timeout` of the task to wait no longer.';
const instance = { jobInstanceId: out.text('The id of the run.'), status: out.text('The state of the run.') };

const runNotebook = engineering.task({
  type: 'RunNotebook',
  title: 'Run a notebook of Microsoft Fabric',
  description: `Runs a notebook with parameters. ${waits}`,
  properties: { notebookId: need.text('The id of the notebook.') },
  output: instance,
  run: async (client, { notebookId: itemId, ...input }, context) => {
    const job = { ...input, itemId, jobType: 'RunNotebook', parameters: typed(input.parameters) };
    const { id, status } = await runJob(client, context, job);
    return { jobInstanceId: id, status };
  },
  example: { notebookId: 'n1', parameters: { day: '2026-01-31', limit: 10 } },
});

const runSparkJob = engineering.task({
  type: 'RunSparkJob',
  title: 'Run a Spark job of Microsoft Fabric',
  description: `Runs a Spark job definition. ${waits}`,
  properties: { sparkJobDefinitionId: need.text('The id of the Spark job definition.') },
  output: instance,
  run: async (client, { sparkJobDefinitionId: itemId, ...input }, context) => {
    const job = { ...input, itemId, jobType: 'sparkjob', parameters: typed(input.parameters) };
    const { id, status } = await runJob(client, context, job);
    return { jobInstanceId: id, status };
  },
  example: { sparkJobDefinitionId: 's1' },
});

const runPipeline = engineering.task({
  type: 'RunPipeline',
  title: 'Run a data pipeline of Microsoft Fabric',
  description: `Runs a data pipeline with parameters. ${waits}`,
  properties: { pipelineId: need.text('The id of the pipeline.') },
  output: { runId: out.text('The id of the run.'), status: out.text('The state of the run.') },
  run: async (client, { pipelineId: itemId, ...input }, context) => {
    const { id, status } = await runJob(client, context, { ...input, itemId, jobType: 'Pipeline' });
    return { runId: id, status };
  },
  example: { pipelineId: 'p1', parameters: { day: '2026-01-31' } },
});

const onelake = defineService({
  name: 'OneLake',
  prefix: 'microsoft.fabric.onelake',
  baseUrl: 'https://onelake.dfs.fabric.microsoft.com',
  properties: {
    ...login,
    ...workspace,
    itemId: need.text('The id of the lakehouse, or its name such as `sales.Lakehouse`.'),
    filePath: need.text('The path of the file in the item, such as `Files/orders.csv`.'),
  },
  auth: (input) => entraLogin(input, 'https://storage.azure.com/.default'),
  headers: () => ({ 'x-ms-version': '2023-11-03' }),
  example: { ...loginExample, itemId: 'sales.Lakehouse', filePath: 'Files/orders.csv' },
});

const pathOf = ({
  workspaceId,
  itemId,
  filePath,
}: {
  workspaceId: string;
  itemId: string;
  filePath: string;
}): string =>
  `/${[workspaceId, itemId, ...filePath.split('/').filter(Boolean)].map(encodeURIComponent).join('/')}`;
const size = [
  { name: 'file.size', type: 'counter' as const, unit: 'bytes', description: 'The size of the file.' },
];

const upload = onelake.task({
  type: 'Upload',
  title: 'Upload a file to OneLake',
  description: 'Writes a file of internal storage into a lakehouse. A file that is there is replaced.',
  properties: { from: need.file('The file in internal storage.') },
  metrics: size,
  output: { uri: out.text('The address of the file in OneLake.') },
  run: async (client, input, context) => {
    const path = pathOf(input);
    const bytes = await context.files.sizeOf(input.from);
    if (bytes === undefined)
      throw new TaskFailed(`There is no file ${nameOfUri(input.from)}.`, { retry: false });
    await client.send({ method: 'PUT', path, query: { resource: 'file' } });
    if (bytes > 0)
      await client.send({
        method: 'PATCH',
        path,
        query: { action: 'append', position: 0 },
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
        content: await context.files.read(input.from),
      });
    await client.send({ method: 'PATCH', path, query: { action: 'flush', position: bytes } });
    context.metric({ name: 'file.size', type: 'counter', value: bytes });
    return { uri: `${client.baseUrl}${path}` };
  },
  example: { from: '{{ inputs.file }}' },
});

const download = onelake.task({
  type: 'Download',
  title: 'Download a file from OneLake',
  description: 'Stores a file of a lakehouse in internal storage.',
  metrics: size,
  output: { uri: out.text('The file in internal storage.'), size: out.integer('Its size in bytes.') },
  run: async (client, input, context) => {
    const { uri, size: bytes } = await client.download(
      { path: pathOf(input) },
      input.filePath.split('/').at(-1) || 'file',
    );
    context.metric({ name: 'file.size', type: 'counter', value: bytes });
    return { uri, size: bytes };
  },
  example: {},
});

const remove = onelake.task({
  type: 'Delete',
  title: 'Delete a file or folder of OneLake',
  description: 'Deletes a file, or a folder.',
  properties: { recursive: preset.flag(false, 'Delete a folder with everything in it.') },
  request: (input) => `DELETE ${pathOf(input)}`,
  query: ['recursive'],
  example: {},
});

export const fabricTypes = [runNotebook, runPipeline, runSparkJob, upload, download, remove];
