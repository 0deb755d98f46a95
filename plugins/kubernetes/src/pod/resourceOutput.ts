import { z } from 'zod';
import type { Resource } from '../cluster/client.ts';
import { mapIn } from './manifest.ts';

const texts = z.record(z.string(), z.string());

export const metadataOutput = z
  .object({
    uid: z.string().optional().describe('The id of the resource.'),
    name: z.string().optional().describe('Its name.'),
    namespace: z.string().optional().describe('Its namespace.'),
    clusterName: z.string().optional().describe('The name of the cluster, where the API server says it.'),
    annotations: texts.optional().describe('Its annotations.'),
    labels: texts.optional().describe('Its labels.'),
    creationTimestamp: z.string().optional().describe('When it was created.'),
    deletionGracePeriodSeconds: z.number().optional().describe('How long it may take to be deleted.'),
    deletionTimestamp: z.string().optional().describe('When it is deleted.'),
    finalizers: z
      .array(z.string())
      .optional()
      .describe('The finalizers that must finish before the resource is deleted.'),
    generateName: z.string().optional().describe('The start of a generated name.'),
    generation: z.number().optional().describe('How often its specification was changed.'),
    managedFields: z.array(z.unknown()).optional().describe('Which client manages which fields.'),
    ownerReferences: z.array(z.unknown()).optional().describe('The resources it belongs to.'),
    resourceVersion: z.string().optional().describe('Its version.'),
    selfLink: z.string().optional().describe('Its path, on old clusters.'),
  })
  .describe('The metadata of the resource.');

export const statusOutput = z
  .object({ status: z.record(z.string(), z.unknown()).describe('The status as the cluster reports it.') })
  .describe('The status of the resource.');

export const metadataOf = ({ metadata }: Resource): z.infer<typeof metadataOutput> =>
  metadataOutput.catch({}).parse(metadata);

export const statusOf = ({ status }: Resource): z.infer<typeof statusOutput> => ({
  status: { ...mapIn(status) },
});
