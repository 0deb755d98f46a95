import {
  anything,
  aTaskRunner,
  choice,
  deprecated,
  fixed,
  flag,
  inputFiles,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

interface Defaults {
  readonly interpreter: readonly string[];
  readonly containerImage: string;
}

/** The same for every language, so they are made once. */
const shared = {
  beforeCommands: listOf(text()).default([]).describe('Run before everything else, in the same process.'),
  env: mapOf(text()).default({}).describe('Environment variables of the process.'),
  inputFiles: inputFiles().optional(),
  outputFiles: outputFiles().default([]),
  namespaceFiles: namespaceFiles().optional(),
  failFast: flag().default(true).describe('Stop at the first command that fails.'),
  taskRunner: fixed(aTaskRunner())
    .optional()
    .describe('Where the process runs; on the worker itself when absent.'),
  targetOS: choice(['LINUX', 'WINDOWS', 'AUTO'])
    .default('AUTO')
    .describe('The system the commands are written for.'),
  runner: deprecated(choice(['DOCKER', 'PROCESS']).optional(), 'use `taskRunner`.'),
  docker: deprecated(
    fixed(mapOf(anything())).optional(),
    'use `taskRunner`. Holds `image` and the properties of `scripts.runner.docker.Docker`.',
  ),
  warningOnStdErr: deprecated(
    flag().default(false),
    'a task that writes to its error stream ends in WARNING only when this is set.',
  ),
  outputDirectory: deprecated(flag().default(false), 'use `outputFiles`.'),
};

/** The properties of every script task in any language. */
export const scriptProperties = ({ interpreter, containerImage }: Defaults) => ({
  ...shared,
  interpreter: listOf(text(), { min: 1 })
    .default([...interpreter])
    .describe('The program that runs the commands, with its options.'),
  containerImage: text().default(containerImage).describe('The image, for runners that use containers.'),
});

export const commandsProperty = () => listOf(text(), { min: 1 }).describe('The commands, run in order.');
export const scriptProperty = (language: string) => text().describe(`The ${language} code.`);

const Properties = z.object(scriptProperties({ interpreter: [], containerImage: '' }));
export type ScriptInput = z.infer<typeof Properties>;
