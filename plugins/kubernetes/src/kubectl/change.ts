import { choice, defineTask, listOf, TaskFailed, text } from '@millrace/plugin-kit';
import { parse } from 'yaml';
import { z } from 'zod';
import { openClient } from '../cluster/client.ts';
import { findKind, pathOf } from '../cluster/resources.ts';
import { clusterProperties } from '../pod/podProperties.ts';
import { metadataOf, metadataOutput, statusOf, statusOutput } from '../pod/resourceOutput.ts';
import { resourceProperties } from './kubectlTask.ts';
import { waitUntilReady } from './ready.ts';

export const deleteTask = defineTask({
  type: 'kubernetes.kubectl.Delete',
  title: 'Delete resources',
  description: 'Deletes resources by their names. A resource that does not exist fails the task.',
  input: () =>
    z.object({
      ...resourceProperties,
      resourcesNames: listOf(text(), { min: 1 }).describe('The names of the resources.'),
    }),
  raw: ['connection'],
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Delete a Deployment.',
      runs: false,
      code: `id: kubernetes_delete
namespace: company.team

tasks:
  - id: delete
    type: kubernetes.kubectl.Delete
    namespace: web
    resourceType: deployments
    apiGroup: apps
    resourcesNames:
      - shop
`,
    },
  ],
  async run(context, input) {
    const client = await openClient(context, input);
    const kind = await findKind(client, input);
    for (const name of input.resourcesNames) {
      await client.call({
        method: 'DELETE',
        path: pathOf(kind, input.namespace, name),
        // Resources that belong to the deleted one are deleted as well, as kubectl does it.
        query: { propagationPolicy: 'Background' },
      });
      await context.log('INFO', `Deleted ${kind.kind} "${name}".`);
    }
    return {};
  },
});

const contentTypes = {
  STRATEGIC_MERGE: 'application/strategic-merge-patch+json',
  JSON_MERGE: 'application/merge-patch+json',
  JSON_PATCH: 'application/json-patch+json',
} as const;

export const patch = defineTask({
  type: 'kubernetes.kubectl.Patch',
  title: 'Patch a resource',
  description: `Changes some fields of a resource. Custom resources know no strategic merge: use JSON_MERGE for them. With
\`waitUntilReady\` the task waits until the resource is ready again.`,
  input: () =>
    z.object({
      ...resourceProperties,
      resourceName: text().describe('The name of the resource.'),
      patch: text().describe(
        'The change as JSON or YAML: the fields, or for JSON_PATCH a list of operations.',
      ),
      patchStrategy: choice(['STRATEGIC_MERGE', 'JSON_MERGE', 'JSON_PATCH'])
        .default('STRATEGIC_MERGE')
        .describe('How the change is applied.'),
    }),
  raw: ['connection'],
  output: z.object({ metadata: metadataOutput, status: statusOutput }),
  sideEffects: true,
  examples: [
    {
      title: 'Scale a Deployment and wait until all replicas are ready.',
      runs: false,
      code: `id: kubernetes_patch
namespace: company.team

tasks:
  - id: scale
    type: kubernetes.kubectl.Patch
    namespace: web
    resourceType: deployments
    apiGroup: apps
    resourceName: shop
    waitUntilReady: PT5M
    patch: |
      {"spec": {"replicas": 4}}
`,
    },
  ],
  async run(context, input) {
    const body = readPatch(input.patch, input.patchStrategy);
    const client = await openClient(context, input);
    const kind = await findKind(client, input);
    const path = pathOf(kind, input.namespace, input.resourceName);
    const contentType = contentTypes[input.patchStrategy];
    const patched = await client.call({ method: 'PATCH', path, body, contentType });
    const ready =
      input.waitUntilReady > 0 ? await waitUntilReady(context, client, path, input.waitUntilReady) : patched;
    return { metadata: metadataOf(ready), status: statusOf(ready) };
  },
});

function readPatch(written: string, strategy: string): unknown {
  let value: unknown;
  try {
    value = parse(written);
  } catch (error) {
    throw new TaskFailed(`"patch" is neither JSON nor YAML: ${error instanceof Error ? error.message : ''}`, {
      retry: false,
    });
  }
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || isList !== (strategy === 'JSON_PATCH')) {
    const wanted = strategy === 'JSON_PATCH' ? 'a list of operations' : 'a map of fields';
    throw new TaskFailed(`"patch" must be ${wanted} for the strategy ${strategy}.`, { retry: false });
  }
  return value;
}

export const restart = defineTask({
  type: 'kubernetes.kubectl.Restart',
  title: 'Restart workloads',
  description: `Replaces the pods of Deployments or StatefulSets step by step, as \`kubectl rollout restart\` does. With
\`waitUntilReady\` the task waits until the new pods are ready.`,
  input: () =>
    z.object({
      ...clusterProperties,
      resourceType: choice(['Deployment', 'StatefulSet']).describe('The kind of the workloads.'),
      resourcesNames: listOf(text(), { min: 1 }).describe('The names of the workloads.'),
    }),
  raw: ['connection'],
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Restart a Deployment every night.',
      runs: false,
      code: `id: kubernetes_restart
namespace: company.team

tasks:
  - id: restart
    type: kubernetes.kubectl.Restart
    namespace: web
    resourceType: Deployment
    resourcesNames:
      - shop

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 4 * * *"
`,
    },
  ],
  async run(context, input) {
    const client = await openClient(context, input);
    const plural = input.resourceType === 'Deployment' ? 'deployments' : 'statefulsets';
    const kind = { kind: input.resourceType, name: plural, isNamespaced: true, root: 'apis/apps/v1' };
    for (const name of input.resourcesNames) {
      const path = pathOf(kind, input.namespace, name);
      const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
      await client.call({
        method: 'PATCH',
        path,
        body: { spec: { template: { metadata: { annotations } } } },
        contentType: contentTypes.STRATEGIC_MERGE,
      });
      await context.log('INFO', `Restarted ${input.resourceType} "${name}".`);
      if (input.waitUntilReady > 0) await waitUntilReady(context, client, path, input.waitUntilReady);
    }
    return {};
  },
});
