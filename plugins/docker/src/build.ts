import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import {
  defineTask,
  flag,
  inputFiles,
  listOf,
  mapOf,
  namespaceFiles,
  ownPrefix,
  TaskFailed,
  text,
  toInnerPath,
  writeInside,
} from '@millrace/plugin-kit';
import { loginOf, packFolder, prepareFolder, readProgress, withTag } from '@millrace/plugin-scripts';
import type Docker from 'dockerode';
import { z } from 'zod';
import { createDockerIgnore } from './dockerIgnore.ts';
import { engineProperties, splitTag, withEngine, withRegistry } from './engine.ts';
import { pushImage } from './images.ts';

export const build = defineTask({
  type: 'docker.cli.Build',
  aliases: ['docker.Build'],
  title: 'Build an image',
  description: `Builds an image from a Dockerfile and can push it. The context of the build is the working directory with the
files of \`inputFiles\` and \`namespaceFiles\`, without the files that a \`.dockerignore\` in it excludes.`,
  input: () =>
    z.object({
      ...engineProperties,
      dockerfile: text()
        .default('Dockerfile')
        .describe('The path of the Dockerfile in the working directory, or its content.'),
      tags: listOf(text(), { min: 1 }).describe('The names of the image, as `repository:tag`.'),
      platforms: listOf(text()).default([]).describe('The platforms to build for, such as `linux/amd64`.'),
      push: flag().default(false).describe('Push every tag after the build.'),
      pull: flag().default(true).describe('Look for newer versions of the base images.'),
      buildArgs: mapOf(text()).default({}).describe('Values for `ARG` of the Dockerfile.'),
      labels: mapOf(text()).default({}).describe('Labels of the image.'),
      target: text().optional().describe('The stage of the Dockerfile to build.'),
      namespaceFiles: namespaceFiles().optional(),
      inputFiles: inputFiles().optional(),
    }),
  output: z.object({ imageId: z.string().describe('The id of the image.') }),
  metrics: [
    {
      name: 'bytes',
      type: 'counter',
      unit: 'bytes',
      description: 'The size of the context sent to the engine.',
    },
  ],
  sideEffects: true,
  examples: [
    {
      title: 'Build an image from files of the flow and push it.',
      runs: false,
      code: `id: docker_build
namespace: company.team

tasks:
  - id: build
    type: docker.cli.Build
    dockerfile: |
      FROM python:3.13-slim
      COPY report.py /app/report.py
      CMD ["python", "/app/report.py"]
    inputFiles:
      report.py: print("ready")
    tags:
      - registry.example.com/team/report:{{ execution.id | lower }}
    push: true
    credentials:
      registry: registry.example.com
      username: robot
      password: "{{ secret('REGISTRY_PASSWORD') }}"
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async (docker) => {
      const folder = await prepareFolder(context, input);
      const dockerfile = await provideDockerfile(folder, input.dockerfile);
      const [first = '', ...others] = input.tags.map((tag) => withTag(withRegistry(tag, input)));
      const archive = await packContext(folder, dockerfile);
      let bytes = 0;
      const counted = new PassThrough().on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
      });
      // A failure to read the folder aborts the request, and the request's error is thrown.
      void pipeline(archive as Readable, counted).catch((error: Error) => counted.destroy(error));
      const login = loginOf(first, input);
      const progress = await docker.buildImage(counted, {
        t: first,
        dockerfile,
        pull: input.pull,
        buildargs: input.buildArgs,
        labels: input.labels,
        ...(input.target !== undefined && { target: input.target }),
        ...(input.platforms.length > 0 && { platform: input.platforms.join(',') }),
        ...(login && { registryconfig: { [login.serveraddress]: { ...login } } as Docker.RegistryConfig }), // a token may stand for user and password
        abortSignal: context.signal,
      });
      const imageId = (await readBuild(progress, context)) ?? (await docker.getImage(first).inspect()).Id;
      context.metric({ name: 'bytes', type: 'counter', value: bytes });
      for (const tag of others) await docker.getImage(first).tag(splitTag(tag));
      if (input.push) for (const tag of [first, ...others]) await pushImage(docker, tag, input, context);
      return { imageId };
    }),
});

/** A path inside the folder is used as a path; everything else is the content of a Dockerfile. */
async function provideDockerfile(folder: string, written: string): Promise<string> {
  if (!written.includes('\n')) {
    const path = toInnerPath(written.trim());
    if ((await stat(join(folder, path)).catch(() => undefined))?.isFile()) return path;
    if (!/^\s*(#|FROM\s|ARG\s)/i.test(written)) {
      throw new TaskFailed(
        `There is no file "${written}" in the working directory; bring it with "inputFiles" or "namespaceFiles", or write the content of the Dockerfile.`,
        { retry: false },
      );
    }
  }
  const name = `${ownPrefix}${randomUUID()}.Dockerfile`;
  await writeInside(folder, name, written);
  return name;
}

async function packContext(folder: string, dockerfile: string): Promise<NodeJS.ReadableStream> {
  const rules = await readFile(join(folder, '.dockerignore'), 'utf8').catch(() => undefined);
  const isIgnored = rules === undefined ? () => false : createDockerIgnore(folder, rules);
  return packFolder(folder, { ignore: (path) => path !== dockerfile && isIgnored(path) });
}

/** Logs the steps of the build and returns the id of the image. */
async function readBuild(progress: NodeJS.ReadableStream, context: TaskContext): Promise<string | undefined> {
  let imageId: string | undefined;
  try {
    for await (const { stream, aux } of readProgress(progress)) {
      if (typeof aux?.ID === 'string') imageId = aux.ID;
      const said = stream?.trimEnd() ?? '';
      if (said !== '') await context.log('INFO', said);
      // Podman reports the id in a line, as older engines do.
      imageId ??= /^Successfully built ([0-9a-f]{12,64})$/m.exec(said)?.[1];
    }
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(`The build failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return imageId;
}
