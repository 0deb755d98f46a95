import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  anything,
  aTaskRunner,
  defineTask,
  deprecated,
  fixed,
  inputFiles,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  ownPrefix,
  text,
  writeInside,
} from '@millrace/plugin-kit';
import { folderVariables, runScript, scriptOutput } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { taskExample } from '../google/define.ts';

const docker = { type: 'scripts.runner.docker.Docker' };

export const gcloudCli = defineTask({
  type: 'gcp.cli.GCloudCLI',
  title: 'Run gcloud commands',
  description: `Runs commands of the Google Cloud CLI (\`gcloud\`, \`gsutil\`, \`bq\`) in a container, or where \`taskRunner\` says. The service account and the project are set up: the
key is written to a file of the working folder for the time of the task.`,
  input: () =>
    z.object({
      serviceAccount: text().optional().describe('The key of a service account, as JSON.'),
      projectId: text().optional().describe('The project.'),
      commands: listOf(text(), { min: 1 }).describe('The commands, run in order.'),
      env: mapOf(text()).default({}).describe('Environment variables of the process.'),
      docker: deprecated(fixed(mapOf(anything())).optional(), 'use `taskRunner`.'),
      taskRunner: fixed(aTaskRunner())
        .optional()
        .describe('Where the program runs; a Docker container when absent.'),
      containerImage: text()
        .default('google/cloud-sdk')
        .describe('The image, for runners that use containers.'),
      namespaceFiles: namespaceFiles().optional(),
      inputFiles: inputFiles().optional(),
      outputFiles: outputFiles().default([]),
    }),
  renderWith: folderVariables,
  output: scriptOutput,
  sideEffects: true,
  examples: [
    taskExample(
      'gcp.cli.GCloudCLI',
      'List the buckets of a project.',
      'commands:\n  - gcloud storage buckets list --format=json',
    ),
  ],
  async run(context, input) {
    const { serviceAccount, projectId, commands, env, docker: older, taskRunner, ...rest } = input;
    const folder = await context.workingDirectory();
    if (serviceAccount) context.masker.add(serviceAccount);
    // Files with the product's own prefix are never collected as outputs.
    const key = serviceAccount
      ? await writeInside(folder, `${ownPrefix}${randomUUID()}.json`, serviceAccount)
      : undefined;
    try {
      return await runScript(
        context,
        {
          ...rest,
          ...(older ? { docker: older } : { taskRunner: taskRunner ?? docker }),
          env: {
            ...(key && { GOOGLE_APPLICATION_CREDENTIALS: key, CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE: key }),
            ...(projectId && { CLOUDSDK_CORE_PROJECT: projectId }),
            ...env,
          },
          interpreter: ['/bin/sh', '-c'],
          beforeCommands: [],
          failFast: true,
          targetOS: 'AUTO',
          warningOnStdErr: false,
          outputDirectory: false,
        },
        { lines: commands },
      );
    } finally {
      if (key) await rm(key, { force: true });
    }
  },
});
