import { choice, defineTask, flag, listOf, TaskFailed, text } from '@millrace/plugin-kit';
import { isStatus } from '@millrace/plugin-scripts';
import type Docker from 'dockerode';
import { z } from 'zod';
import { engineProperties, withEngine } from './engine.ts';

export const stop = defineTask({
  type: 'docker.cli.Stop',
  aliases: ['docker.Stop'],
  title: 'Stop a container',
  description:
    'Stops a container, such as one that `docker.cli.Run` started with `wait: false`, and deletes it.',
  input: () =>
    z.object({
      ...engineProperties,
      containerId: text().optional().describe('The id or the name of the container.'),
      kill: flag().default(false).describe('Kill the container instead of asking it to stop.'),
      delete: flag().default(true).describe('Delete the container afterwards.'),
    }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Start a database for a test and stop it at the end.',
      runs: false,
      code: `id: docker_stop
namespace: company.team

tasks:
  - id: database
    type: docker.cli.Run
    containerImage: postgres:17-alpine
    wait: false
    env:
      POSTGRES_PASSWORD: "{{ secret('TEST_DATABASE_PASSWORD') }}"

  - id: test
    type: core.log.Log
    message: The database runs in {{ outputs.database.taskRunner.containerId }}

finally:
  - id: stop
    type: docker.cli.Stop
    containerId: "{{ outputs.database.taskRunner.containerId }}"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      if (!input.containerId)
        throw new TaskFailed('"containerId" is empty; expected the id or the name of a container.', {
          retry: false,
        });
      const container = docker.getContainer(input.containerId);
      await unlessStopped(input.kill ? container.kill() : container.stop());
      if (input.delete) await container.remove({ force: true, v: true });
      return {};
    }),
});

/** Ignores the engine's error for stopping a container that is not running. */
async function unlessStopped(stopped: Promise<unknown>): Promise<void> {
  try {
    await stopped;
  } catch (error) {
    if (!isStatus(error, 304) && !isStatus(error, 409)) throw error;
  }
}

export const rm = defineTask({
  type: 'docker.cli.Rm',
  aliases: ['docker.Rm'],
  title: 'Remove containers and images',
  description:
    'Removes containers and images of the container engine. One that does not exist fails the task.',
  input: () =>
    z.object({
      ...engineProperties,
      containerIds: listOf(text()).default([]).describe('Ids or names of containers.'),
      imageIds: listOf(text()).default([]).describe('Ids or names of images.'),
      removeVolumes: flag()
        .default(false)
        .describe('Remove the anonymous volumes of the containers as well.'),
      force: flag().default(false).describe('Remove containers that run and images that are used.'),
    }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Remove an image.',
      runs: false,
      code: `id: docker_rm
namespace: company.team

tasks:
  - id: remove
    type: docker.cli.Rm
    imageIds:
      - team/report:1.3
    force: true
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      const { containerIds, imageIds, removeVolumes, force } = input;
      for (const id of containerIds) await docker.getContainer(id).remove({ force, v: removeVolumes });
      for (const id of imageIds) await docker.getImage(id).remove({ force });
      return {};
    }),
});

export const prune = defineTask({
  type: 'docker.cli.Prune',
  aliases: ['docker.Prune'],
  title: 'Remove what is not used',
  description: 'Removes stopped containers, unused images, networks, volumes or the cache of builds.',
  input: () =>
    z.object({
      ...engineProperties,
      pruneType: choice(['BUILD', 'CONTAINERS', 'IMAGES', 'NETWORKS', 'VOLUMES']).describe('What to remove.'),
      dangling: flag()
        .default(false)
        .describe('For IMAGES: only remove unused images without a name; otherwise all unused images.'),
      until: text()
        .optional()
        .describe('Only what was created before this date or this long ago, such as `24h`. Not for VOLUMES.'),
      labelFilters: listOf(text())
        .default([])
        .describe('Only what has these labels, as `key` or `key=value`; not for BUILD.'),
    }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Remove images that were not used for a week, every night.',
      runs: false,
      code: `id: docker_prune
namespace: company.team

tasks:
  - id: prune
    type: docker.cli.Prune
    pruneType: IMAGES
    until: 168h

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 3 * * *"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      const { pruneType, dangling, until, labelFilters } = input;
      const filters = {
        ...(pruneType === 'IMAGES' && { dangling: [String(dangling)] }),
        ...(until !== undefined && pruneType !== 'VOLUMES' && { until: [until] }),
        ...(labelFilters.length > 0 && pruneType !== 'BUILD' && { label: labelFilters }),
      };
      const result = await pruneKind(docker, pruneType, { filters });
      const freed = 'SpaceReclaimed' in result ? ` and freed ${result.SpaceReclaimed} bytes` : '';
      await context.log('INFO', `The engine removed unused ${pruneType.toLowerCase()}${freed}.`);
      return {};
    }),
});

/** Called directly, because the client's own call for the cache of builds drops the filters. */
function pruneKind(
  { modem }: Docker,
  kind: string,
  options: { readonly filters: Record<string, string[]> },
): Promise<Readonly<Record<string, unknown>>> {
  const request = {
    path: `/${kind.toLowerCase()}/prune?`,
    method: 'POST',
    options,
    statusCodes: { 200: true, 400: 'bad parameter', 409: 'conflict', 500: 'server error' },
  };
  return new Promise((resolve, reject) =>
    modem.dial(request, (error, result) => (error ? reject(error) : resolve({ ...result }))),
  );
}
