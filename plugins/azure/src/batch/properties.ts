import { formatDuration } from '@millrace/engine';
import { choice, dropMissing, duration, integer, listOf, mapOf, part, text } from '@millrace/plugin-kit';
import { shellQuote } from '@millrace/plugin-scripts';
import type { z } from 'zod';

const identityReference = () =>
  part({ resourceId: text().optional().describe('The resource id of a managed identity of the pool.') })
    .optional()
    .describe('The managed identity that has access.');

export const jobProperty = () =>
  part({
    id: text().describe('The id, which no other job of the account has.'),
    displayName: text().optional().describe('The name that Azure shows.'),
    priority: integer({ min: -1000, max: 1000 }).optional().describe('The priority, -1000 to 1000.'),
    maxParallelTasks: integer({ min: -1 })
      .optional()
      .describe('The number of tasks that run at once; -1 is no limit.'),
    labels: mapOf(text()).optional().describe('Metadata of the job.'),
  });

export const registryProperty = () =>
  part({
    registryServer: text().optional().describe('The registry; Docker Hub when absent.'),
    userName: text().optional().describe('The user.'),
    password: text().optional().describe('The password.'),
    identityReference: identityReference(),
  })
    .optional()
    .describe('A private registry.');

/** The registry as the REST API writes it. */
export const toRestRegistry = (registry: z.infer<ReturnType<typeof registryProperty>>) =>
  registry &&
  dropMissing({
    registryServer: registry.registryServer,
    username: registry.userName,
    password: registry.password,
    identityReference: registry.identityReference,
  });

const containerSettings = () =>
  part({
    imageName: text().describe('The image.'),
    containerRunOptions: text().optional().describe('Further options of `docker create`.'),
    registry: registryProperty(),
    workingDirectory: choice(['TASK_WORKING_DIRECTORY', 'CONTAINER_IMAGE_DEFAULT'])
      .optional()
      .describe('The working directory; that of the task when absent.'),
  });

const resourceFile = () =>
  part({
    autoStorageContainerName: text().optional().describe('A container of the linked storage account.'),
    storageContainerUrl: text().optional().describe('The address of a container.'),
    httpUrl: text().optional().describe('The address of a file.'),
    blobPrefix: text().optional().describe('Only blobs whose name starts with this text.'),
    filePath: text().optional().describe('Where the file is put, relative to the working directory.'),
    fileMode: text().optional().describe('The permissions in octal digits.'),
    identityReference: identityReference(),
  });

const uploadFile = () =>
  part({
    filePattern: text().optional().describe('Which files, such as `../std*.txt`.'),
    destination: part({
      container: part({
        containerUrl: text().describe('The address of the container.'),
        path: text().optional().describe('The blob, or the folder of several.'),
        identityReference: identityReference(),
      }).describe('A container.'),
    }).describe('Where the files are put.'),
    uploadOptions: part({
      uploadCondition: choice(['TASK_SUCCESS', 'TASK_FAILURE', 'TASK_COMPLETION'])
        .default('TASK_COMPLETION')
        .describe('When the files are uploaded.'),
    })
      .prefault({})
      .describe('How the files are uploaded.'),
  });

const task = () =>
  part({
    id: text().describe('The id, which no other task of the job has.'),
    displayName: text().optional().describe('The name that Azure shows.'),
    interpreter: text().default('/bin/sh').describe('The program that runs the commands.'),
    interpreterArgs: listOf(text()).default(['-c']).describe('Its arguments.'),
    commands: listOf(text(), { min: 1 }).describe('The commands. The first one that fails ends the task.'),
    containerSettings: containerSettings().optional().describe('Run the task in a container.'),
    outputFiles: listOf(text())
      .optional()
      .describe('Files to store: the commands write to the path `{{ outputFiles.name }}`.'),
    outputDirs: listOf(text())
      .optional()
      .describe('Folders to store: the commands write into the path `{{ outputDirs.name }}`.'),
    resourceFiles: listOf(resourceFile()).optional().describe('Files that Batch downloads before the task.'),
    uploadFiles: listOf(uploadFile()).optional().describe('Files that Batch uploads after the task.'),
    environments: mapOf(text()).optional().describe('Environment variables.'),
    constraints: part({
      maxWallClockTime: duration().optional().describe('The maximum time.'),
      retentionTime: duration().optional().describe('How long the node keeps the files.'),
      maxTaskRetryCount: integer({ min: -1 }).optional().describe('The number of retries; -1 is no limit.'),
    })
      .optional()
      .describe('The limits of the task.'),
    requiredSlots: integer({ min: 1 })
      .optional()
      .describe('The number of slots of a node that the task takes.'),
  });

export const tasksProperty = () => listOf(task(), { min: 1 });
const Tasks = tasksProperty();
export type BatchTask = z.infer<typeof Tasks>[number];

/** The task as the REST API writes it. */
export function toRestTask(task: BatchTask): object {
  const { containerSettings: container, constraints } = task;
  return dropMissing({
    id: task.id,
    displayName: task.displayName,
    commandLine: commandLineOf(task),
    requiredSlots: task.requiredSlots,
    resourceFiles: task.resourceFiles?.map(dropMissing),
    environmentSettings:
      task.environments && Object.entries(task.environments).map(([name, value]) => ({ name, value })),
    outputFiles: task.uploadFiles?.map(({ filePattern, destination, uploadOptions }) => ({
      ...dropMissing({ filePattern }),
      destination: { container: dropMissing(destination.container) },
      uploadOptions: { uploadCondition: uploadOptions.uploadCondition.replace('_', '').toLowerCase() },
    })),
    containerSettings:
      container &&
      dropMissing({
        imageName: container.imageName,
        containerRunOptions: container.containerRunOptions,
        workingDirectory: container.workingDirectory && camelCase(container.workingDirectory),
        registry: toRestRegistry(container.registry),
      }),
    constraints:
      constraints &&
      dropMissing({
        maxWallClockTime: isoOf(constraints.maxWallClockTime),
        retentionTime: isoOf(constraints.retentionTime),
        maxTaskRetryCount: constraints.maxTaskRetryCount,
      }),
  });
}

const isoOf = (ms: number | undefined) => (ms === undefined ? undefined : formatDuration(ms));
const camelCase = (words: string) =>
  words.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Batch starts no shell itself: the commands are one argument of the interpreter. */
function commandLineOf({ interpreter, interpreterArgs, commands, outputDirs = [] }: BatchTask): string {
  const isShell = /(^|\/)(ba|da|k|z)?sh$/.test(interpreter);
  const script = [
    ...(isShell ? ['set -e', ...outputDirs.map((folder) => `mkdir -p ${shellQuote(folder)}`)] : []),
    ...commands,
  ].join('\n');
  return [interpreter, ...interpreterArgs, shellQuote(script)].join(' ');
}
