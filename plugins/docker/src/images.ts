import type { TaskContext } from '@millrace/plugin-kit';
import { defineTask, flag, listOf, mapOf, messageOf, TaskFailed, text } from '@millrace/plugin-kit';
import { loginOf, pullImage, readProgress } from '@millrace/plugin-scripts';
import type Docker from 'dockerode';
import { z } from 'zod';
import { type EngineInput, engineProperties, splitTag, withEngine, withRegistry } from './engine.ts';

export const pull = defineTask({
  type: 'docker.cli.Pull',
  aliases: ['docker.Pull'],
  title: 'Pull an image',
  description:
    'Pulls an image from its registry to the container engine. An image without a tag is `latest`.',
  input: () => z.object({ ...engineProperties, image: text().describe('The image, such as `alpine:3.20`.') }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Pull an image of a private registry.',
      runs: false,
      code: `id: docker_pull
namespace: company.team

tasks:
  - id: pull
    type: docker.cli.Pull
    image: registry.example.com/team/report:1.4
    credentials:
      registry: registry.example.com
      username: robot
      password: "{{ secret('REGISTRY_PASSWORD') }}"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      await pullImage(docker, withRegistry(input.image, input), input, context);
      return {};
    }),
});

export const push = defineTask({
  type: 'docker.cli.Push',
  aliases: ['docker.Push'],
  title: 'Push images',
  description: 'Pushes images of the container engine to their registries.',
  input: () =>
    z.object({
      ...engineProperties,
      tags: listOf(text(), { min: 1 }).describe('The images, as `registry/repository:tag`.'),
    }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Push a release.',
      runs: false,
      code: `id: docker_push
namespace: company.team

tasks:
  - id: push
    type: docker.cli.Push
    tags:
      - registry.example.com/team/report:1.4
    credentials:
      registry: registry.example.com
      username: robot
      password: "{{ secret('REGISTRY_PASSWORD') }}"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      for (const tag of input.tags) await pushImage(docker, withRegistry(tag, input), input, context);
      return {};
    }),
});

/** Pushes one image; the engine reports a refusal of the registry in its progress. */
export async function pushImage(
  docker: Docker,
  image: string,
  input: EngineInput,
  context: TaskContext,
): Promise<void> {
  const { repo, tag } = splitTag(image);
  const login = loginOf(image, input);
  await context.log('INFO', `Pushing ${repo}:${tag}`);
  try {
    const progress = await docker
      .getImage(repo)
      .push({ tag, authconfig: login ?? {}, abortSignal: context.signal });
    for await (const { status, id } of readProgress(progress)) {
      if (status !== undefined) await context.log('DEBUG', id === undefined ? status : `${id}: ${status}`);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(`The image "${image}" could not be pushed: ${messageOf(error)}`, { cause: error });
  }
}

export const tag = defineTask({
  type: 'docker.cli.Tag',
  aliases: ['docker.Tag'],
  title: 'Tag an image',
  description: 'Gives an image of the container engine a further name. A target without a tag gets `latest`.',
  input: () =>
    z.object({
      ...engineProperties,
      sourceImage: text().describe('The image, by its name or its id.'),
      targetImage: text().describe('The further name, as `registry/repository:tag`.'),
    }),
  output: z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Mark a tested image as the latest.',
      runs: false,
      code: `id: docker_tag
namespace: company.team

tasks:
  - id: tag
    type: docker.cli.Tag
    sourceImage: team/report:1.4
    targetImage: team/report:latest
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      await docker.getImage(input.sourceImage).tag(splitTag(withRegistry(input.targetImage, input)));
      return {};
    }),
});

const imageEntry = z.object({
  id: z.string().describe('The id of the image.'),
  repoTags: z.array(z.string()).describe('Its names.'),
  repoDigests: z.array(z.string()).describe('Its digests in registries.'),
  size: z.number().describe('Its size in bytes.'),
  created: z.number().describe('When it was built, in seconds since 1970.'),
  labels: z.record(z.string(), z.string()).describe('Its labels.'),
});

export const imageLs = defineTask({
  type: 'docker.cli.ImageLs',
  aliases: ['docker.ImageLs'],
  title: 'List images',
  description: 'Lists the images that the container engine has.',
  input: () =>
    z.object({
      ...engineProperties,
      showAll: flag().default(false).describe('Also list the intermediate layers.'),
      imageNameFilter: text().optional().describe('Only images whose name matches, such as `team/*`.'),
      labelFilter: mapOf(text()).optional().describe('Only images that have all of these labels.'),
    }),
  output: z.object({
    images: z.array(imageEntry).describe('The images.'),
    count: z.number().describe('How many images there are.'),
  }),
  sideEffects: true,
  examples: [
    {
      title: 'Show how many images a team has built.',
      runs: false,
      code: `id: docker_images
namespace: company.team

tasks:
  - id: list
    type: docker.cli.ImageLs
    imageNameFilter: team/*
    labelFilter:
      team: data

  - id: show
    type: core.log.Log
    message: "{{ outputs.list.count }} images"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      const { showAll, imageNameFilter, labelFilter } = input;
      const label = Object.entries(labelFilter ?? {}).map(([key, value]) =>
        value === '' ? key : `${key}=${value}`,
      );
      const found = await docker.listImages({
        all: showAll,
        filters: {
          ...(imageNameFilter !== undefined && { reference: [imageNameFilter] }),
          ...(label.length > 0 && { label }),
        },
      });
      const images = found.map(({ Id, RepoTags, RepoDigests, Size, Created, Labels }) => ({
        id: Id,
        repoTags: RepoTags ?? [],
        repoDigests: RepoDigests ?? [],
        size: Size,
        created: Created,
        labels: Labels ?? {},
      }));
      return { images, count: images.length };
    }),
});
