import {
  anything,
  collectOutputFiles,
  defineTask,
  deprecated,
  flag,
  inputFiles,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import {
  dockerProperties,
  folderVariables,
  prepareFolder,
  runInContainer,
  ScriptLog,
  scriptOutput,
} from '@millrace/plugin-scripts';
import { z } from 'zod';
import { withEngine, withRegistry } from './engine.ts';

const {
  image: _image,
  delete: _delete,
  resume: _resume,
  killGracePeriod: _killGracePeriod,
  fileHandlingStrategy: _fileHandlingStrategy,
  ...containerProperties
} = dockerProperties.shape;

export const run = defineTask({
  type: 'docker.cli.Run',
  aliases: ['docker.Run'],
  title: 'Run a container',
  description: `Runs an image with its own entry point. \`commands\` are its arguments, without a shell. The working directory with
the files of \`inputFiles\` and \`namespaceFiles\` is the directory of the container, and \`outputFiles\` are collected from it.

With \`wait: false\` the container keeps running when the task ends; \`outputs.<task>.taskRunner.containerId\` is its id, for
\`docker.cli.Stop\`. Volumes and privileged containers need \`volumeEnabled\` or \`privilegedEnabled\` in the server's configuration
of \`scripts.runner.docker.Docker\`.`,
  input: () =>
    z.object({
      ...containerProperties,
      containerImage: text().describe('The image to run.'),
      commands: listOf(text())
        .default([])
        .describe('The arguments of the entry point; the command of the image when absent.'),
      env: mapOf(text()).default({}).describe('Environment variables of the container.'),
      namespaceFiles: namespaceFiles().optional(),
      inputFiles: inputFiles().optional(),
      outputFiles: outputFiles().default([]),
      warningOnStdErr: deprecated(flag().default(false), 'has no effect.'),
      docker: deprecated(anything().optional(), 'has no effect; its properties stand in the task itself.'),
    }),
  output: scriptOutput,
  renderWith: folderVariables,
  sideEffects: true,
  examples: [
    {
      title: 'Resize an image with a program that only exists as a container.',
      runs: false,
      code: `id: docker_run
namespace: company.team

inputs:
  - id: photo
    type: FILE

tasks:
  - id: resize
    type: docker.cli.Run
    containerImage: dpokidov/imagemagick:latest
    inputFiles:
      photo.jpg: "{{ inputs.photo }}"
    commands:
      - photo.jpg
      - -resize
      - 50%
      - small.jpg
    outputFiles:
      - small.jpg
`,
    },
  ],
  run: (context, input) =>
    withEngine(context, input, async () => {
      const folder = await prepareFolder(context, input);
      const log = new ScriptLog(context);
      const end = await runInContainer(
        context,
        {
          ...input,
          delete: true,
          resume: true,
          killGracePeriod: 0,
          fileHandlingStrategy: 'VOLUME',
        },
        {
          command: input.commands,
          keepsEntryPoint: true,
          workingDirectory: folder,
          env: input.env,
          containerImage: withRegistry(input.containerImage, input),
          onStdout: log.onStdout,
          onStderr: log.onStderr,
        },
      );
      await log.end();
      const outputs = {
        vars: log.vars,
        exitCode: end.exitCode,
        outputFiles: await collectOutputFiles(context, folder, input.outputFiles),
        ...(end.details && { taskRunner: end.details }),
      };
      if (end.exitCode !== 0)
        throw new TaskFailed(`The container ended with exit code ${end.exitCode}`, { outputs });
      return outputs;
    }),
});
