import { anything, duration, flag, inputFiles, mapOf, outputFiles, part, text } from '@millrace/plugin-kit';
import type { z } from 'zod';
import { connectionProperties } from '../cluster/connectionProperties.ts';

export const fileSidecar = () =>
  part({
    image: text().default('busybox').describe('An image with `sh`, `head`, `sleep` and `tar`.'),
    resources: mapOf(anything()).optional().describe('Requests and limits of the containers.'),
    defaultSpec: mapOf(anything())
      .optional()
      .describe('More fields of the containers, such as `securityContext`.'),
  })
    .prefault({})
    .describe('The containers that carry files into the pod and out of it.');
export type FileSidecar = z.infer<ReturnType<typeof fileSidecar>>;

export const containerDefaultSpec = () =>
  mapOf(anything())
    .optional()
    .describe(
      'Fields of every container that does not set them itself, such as `securityContext` or `resources`.',
    );

export const waitProperties = {
  waitUntilRunning: duration()
    .prefault('PT10M')
    .describe('How long a pod may take to start, with pulling its images.'),
  waitRunning: duration().prefault('PT1H').describe('How long a pod may run.'),
};

/** The properties that all tasks of the family share. */
export const clusterProperties = {
  ...connectionProperties,
  namespace: text().default('default').describe('The namespace of the resources.'),
  ...waitProperties,
  waitUntilReady: duration()
    .prefault('PT0S')
    .describe('How long to wait until the resources are ready; not at all by default.'),
  inputFiles: inputFiles().optional(),
  outputFiles: outputFiles().default([]),
  fileSidecar: fileSidecar(),
  containerDefaultSpec: containerDefaultSpec(),
};

export const resumeProperty = () =>
  flag()
    .default(true)
    .describe('When the worker was lost while the pod ran: wait for that pod instead of starting another.');
