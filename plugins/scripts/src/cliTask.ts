import type { Example, TaskDefinition } from '@millrace/plugin-kit';
import { defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';
import { folderVariables, runScript } from './runScript.ts';
import { scriptOutput } from './scriptOutput.ts';
import { commandsProperty, scriptProperties } from './scriptProperties.ts';

/** The properties of a task that runs a command-line program: the script task properties, with a shell. */
export const cliProperties = (containerImage: string) =>
  scriptProperties({ interpreter: ['/bin/sh', '-c'], containerImage });

/** The parts of a definition that every task with commands has in common. */
export const cliTask = { output: scriptOutput, sideEffects: true, renderWith: folderVariables } as const;

export interface CliProgram {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly containerImage: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
}

/** Defines a task that only runs the flow's commands in an environment with the program. */
export const defineCliTask = ({ containerImage, env, ...words }: CliProgram): TaskDefinition =>
  defineTask({
    ...cliTask,
    ...words,
    input: () => z.object({ commands: commandsProperty(), ...cliProperties(containerImage) }),
    run: (context, input) => runScript(context, input, { lines: input.commands, ...(env && { env }) }),
  });
