import { z } from 'zod';
import { defineTask } from '../kit/define.ts';
import type { TaskDefinition } from '../kit/definition.ts';
import { folderVariables, runScript } from './runScript.ts';
import { scriptOutput } from './scriptOutput.ts';
import { commandsProperty, type ScriptInput, scriptProperties, scriptProperty } from './scriptProperties.ts';

export interface Language {
  /** The part of the type's name: `scripts.<name>.Script`. */
  readonly name: string;
  readonly title: string;
  readonly containerImage: string;
  readonly interpreter?: readonly string[];
  /** How a script is run from a file, with `{file}` for its path; run directly by the interpreter when absent. */
  readonly file?: { readonly extension: string; readonly command: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that `Script` runs first, made from the language's own properties. */
  readonly prepare?: (input: Readonly<Record<string, unknown>>) => readonly string[];
  readonly properties?: z.ZodRawShape;
  /** Older names of `Commands`. */
  readonly aliases?: readonly string[];
  readonly script: { readonly title: string; readonly code: string; readonly runs: boolean };
  readonly commands: { readonly title: string; readonly code: string; readonly runs: boolean };
}

const protocol = `Lines on standard output are logged at INFO, lines on standard error at ERROR. A line
\`::{"outputs": {"name": "value"}}::\` returns values instead, reached by \`outputs.<task>.vars.name\`; \`metrics\` and \`logs\`
work alike. An exit code other than 0 fails the task; what was returned until then is kept.`;

/** The two tasks of a language. */
export function defineLanguage(language: Language): readonly [TaskDefinition, TaskDefinition] {
  const { name, title, containerImage, file } = language;
  const shape = {
    ...scriptProperties({ interpreter: language.interpreter ?? ['/bin/sh', '-c'], containerImage }),
    ...language.properties,
  };
  const prepare = language.prepare ?? (() => []);
  const common = { output: scriptOutput, sideEffects: true, renderWith: folderVariables } as const;

  const script = defineTask({
    ...common,
    type: `scripts.${name}.Script`,
    title: `Run ${title} code`,
    description: `Runs code written in the flow.\n\n${protocol}`,
    input: z.object({ script: scriptProperty(title), ...shape }),
    examples: [language.script],
    run: (context, input) => {
      const code = String(input.script);
      return runScript(context, input as ScriptInput, {
        lines: [...prepare(input), file ? file.command : code],
        ...(file && { file: { extension: file.extension, code } }),
        ...(language.env && { env: language.env }),
      });
    },
  });

  const commands = defineTask({
    ...common,
    type: `scripts.${name}.Commands`,
    title: `Run commands with ${title} at hand`,
    description: `Runs shell commands, for programs kept in namespace files or input files.\n\n${protocol}`,
    ...(language.aliases && { aliases: language.aliases }),
    input: z.object({ commands: commandsProperty(), ...shape }),
    examples: [language.commands],
    run: (context, input) =>
      runScript(context, input as unknown as ScriptInput, {
        lines: [...prepare(input), ...(input.commands as readonly string[])],
        ...(language.env && { env: language.env }),
      }),
  });
  return [script, commands];
}
