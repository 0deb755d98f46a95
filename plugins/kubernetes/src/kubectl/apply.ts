import { defineTask, isStorageUri, readText, TaskFailed, text } from '@millrace/plugin-kit';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { openClient, type Resource } from '../cluster/client.ts';
import { kindOf, pathOf } from '../cluster/resources.ts';
import { listIn, mapIn } from '../pod/manifest.ts';
import { clusterProperties } from '../pod/podProperties.ts';
import { metadataOf, metadataOutput } from '../pod/resourceOutput.ts';
import { waitUntilReady } from './ready.ts';

export const apply = defineTask({
  type: 'kubernetes.kubectl.Apply',
  title: 'Apply manifests',
  description: `Creates or changes resources as the manifests say, by server-side apply. Resources without a namespace get that of the task.
With \`waitUntilReady\` the task waits for each resource: until the replicas of a Deployment are ready, a Job has completed, or
the condition \`Ready\` holds.`,
  input: () =>
    z.object({
      ...clusterProperties,
      spec: text().describe(
        'One or more manifests as YAML or JSON, or the URI of a file in internal storage.',
      ),
    }),
  raw: ['connection'],
  output: z.object({
    metadata: z.array(metadataOutput).describe('The metadata of the resources, in their order.'),
  }),
  sideEffects: true,
  examples: [
    {
      title: 'Create a Deployment and wait until it is ready.',
      runs: false,
      code: `id: kubernetes_apply
namespace: company.team

tasks:
  - id: apply
    type: kubernetes.kubectl.Apply
    namespace: web
    waitUntilReady: PT5M
    spec: |
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: shop
        labels:
          app: shop
      spec:
        replicas: 2
        selector:
          matchLabels:
            app: shop
        template:
          metadata:
            labels:
              app: shop
          spec:
            containers:
              - name: shop
                image: nginx:alpine
`,
    },
  ],
  async run(context, input) {
    const written = isStorageUri(input.spec) ? await readText(context.files, input.spec.trim()) : input.spec;
    const manifests = readManifests(written);
    const client = await openClient(context, input);
    const metadata = [];
    for (const manifest of manifests) {
      const { name, namespace } = mapIn(manifest.metadata);
      const kind = await kindOf(client, String(manifest.apiVersion), String(manifest.kind));
      const path = pathOf(kind, String(namespace ?? input.namespace), String(name));
      const applied = await client.call({
        method: 'PATCH',
        path,
        query: { fieldManager: 'millrace', force: true },
        body: manifest,
        contentType: 'application/apply-patch+yaml',
      });
      await context.log('INFO', `Applied ${kind.kind} "${String(name)}".`);
      const ready =
        input.waitUntilReady > 0
          ? await waitUntilReady(context, client, path, input.waitUntilReady)
          : applied;
      metadata.push(metadataOf(ready));
    }
    return { metadata };
  },
});

/** Every document of the text; a `List` expands to its items. */
function readManifests(written: string): readonly Resource[] {
  const documents = parseAllDocuments(written);
  const found = ('empty' in documents ? [] : documents).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new TaskFailed(`"spec" is not valid YAML: ${error.message}`, { retry: false });
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    const manifest = mapIn(value);
    return manifest.kind === 'List' ? listIn(manifest.items).map(mapIn) : [manifest];
  });
  for (const { apiVersion, kind, metadata } of found) {
    if (
      typeof apiVersion === 'string' &&
      typeof kind === 'string' &&
      typeof mapIn(metadata).name === 'string'
    )
      continue;
    throw new TaskFailed('Each manifest in "spec" needs "apiVersion", "kind" and "metadata.name".', {
      retry: false,
    });
  }
  if (found.length === 0) throw new TaskFailed('"spec" has no manifest.', { retry: false });
  return found;
}
