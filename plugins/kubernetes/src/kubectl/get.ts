import type { TaskContext } from '@millrace/plugin-kit';
import { choice, defineTask, listOf, text, writeTypedRows } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type ApiClient, ApiError, openClient, type Resource } from '../cluster/client.ts';
import { findKind, pathOf, type ResourceKind } from '../cluster/resources.ts';
import { listIn, mapIn } from '../pod/manifest.ts';
import { metadataOf, metadataOutput, statusOf, statusOutput } from '../pod/resourceOutput.ts';
import { resourceProperties } from './kubectlTask.ts';

export const get = defineTask({
  type: 'kubernetes.kubectl.Get',
  title: 'Read resources',
  description: `Reads the metadata and the status of resources. Without \`resourcesNames\` all resources of the kind in the namespace are
read; a name that does not exist is logged as a warning. \`fetchType\` says where they go: FETCH returns all, FETCH_ONE the first,
STORE writes a file with a row of \`metadata\` and \`status\` each, NONE only counts.`,
  input: () =>
    z.object({
      ...resourceProperties,
      resourcesNames: listOf(text())
        .default([])
        .describe('The names of the resources; all of them when absent.'),
      fetchType: choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
        .default('NONE')
        .describe('Where the result goes.'),
    }),
  raw: ['connection'],
  output: z.object({
    metadataItems: z.array(metadataOutput).optional().describe('The metadata of all resources, for FETCH.'),
    metadataItem: metadataOutput.optional().describe('The metadata of the first resource, for FETCH_ONE.'),
    statusItems: z.array(statusOutput).optional().describe('The status of all resources, for FETCH.'),
    statusItem: statusOutput.optional().describe('The status of the first resource, for FETCH_ONE.'),
    uri: z.string().optional().describe('The file with the rows, for STORE.'),
    size: z.number().describe('How many resources were read.'),
  }),
  metrics: [{ name: 'fetch.size', type: 'counter', description: 'How many resources were read.' }],
  sideEffects: true,
  examples: [
    {
      title: 'Show which pods of a namespace run.',
      runs: false,
      code: `id: kubernetes_get
namespace: company.team

tasks:
  - id: pods
    type: kubernetes.kubectl.Get
    namespace: web
    resourceType: pods
    fetchType: FETCH

  - id: show
    type: core.log.Log
    message: "{{ outputs.pods.metadataItems | jq('.[].name') }}"
`,
    },
  ],
  async run(context, input) {
    const client = await openClient(context, input);
    const kind = await findKind(client, input);
    const resources =
      input.resourcesNames.length > 0
        ? named(context, client, kind, input)
        : all(client, kind, input.namespace);
    const result = await fetched(context, resources, input.fetchType);
    context.metric({ name: 'fetch.size', type: 'counter', value: result.size });
    return result;
  },
});

interface Named {
  readonly namespace: string;
  readonly resourcesNames: readonly string[];
}

async function* named(
  context: TaskContext,
  client: ApiClient,
  kind: ResourceKind,
  { namespace, resourcesNames }: Named,
): AsyncGenerator<Resource> {
  for (const name of resourcesNames) {
    try {
      yield await client.call({ path: pathOf(kind, namespace, name) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      await context.log('WARN', `There is no ${kind.kind} "${name}" in the namespace "${namespace}".`);
    }
  }
}

const pageSize = 500;

/** Page by page, so that a namespace of any size fits into memory. */
async function* all(client: ApiClient, kind: ResourceKind, namespace: string): AsyncGenerator<Resource> {
  let next: string | undefined;
  do {
    const list = await client.call({
      path: pathOf(kind, namespace),
      query: { limit: pageSize, ...(next && { continue: next }) },
    });
    for (const item of listIn(list.items)) yield mapIn(item);
    const token = mapIn(list.metadata).continue;
    next = typeof token === 'string' && token !== '' ? token : undefined;
  } while (next !== undefined);
}

async function fetched(context: TaskContext, resources: AsyncIterable<Resource>, fetchType: string) {
  if (fetchType === 'STORE') {
    const rows = writeTypedRows(toRows(resources), context.signal);
    const uri = await context.files.put('resources.ion', rows.content);
    return { uri, size: rows.count };
  }
  if (fetchType === 'FETCH_ONE') {
    for await (const resource of resources)
      return { metadataItem: metadataOf(resource), statusItem: statusOf(resource), size: 1 };
    return { size: 0 };
  }
  const found: Resource[] = [];
  let size = 0;
  for await (const resource of resources) {
    size++;
    if (fetchType === 'FETCH') found.push(resource);
  }
  if (fetchType !== 'FETCH') return { size };
  return { metadataItems: found.map(metadataOf), statusItems: found.map(statusOf), size };
}

async function* toRows(resources: AsyncIterable<Resource>) {
  for await (const resource of resources) yield { metadata: metadataOf(resource), ...statusOf(resource) };
}
