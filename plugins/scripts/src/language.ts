import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';
import { folderVariables, runScript, type ScriptBody } from './runScript.ts';
import { scriptOutput } from './scriptOutput.ts';
import { commandsProperty, type ScriptInput, scriptProperties, scriptProperty } from './scriptProperties.ts';

type Values = Readonly<Record<string, unknown>>;

interface ScriptFile {
  readonly extension: string;
  /** With `{file}` for its path. */
  readonly command: string;
}

export interface Language {
  /** The part of the type's name: `scripts.<name>.Script`. */
  readonly name: string;
  readonly title: string;
  readonly containerImage: string;
  readonly interpreter?: readonly string[];
  /** How a script is run from a file; run directly by the interpreter when absent. */
  readonly file?: ScriptFile | ((input: Values) => ScriptFile);
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that `Script` runs first, made from the language's own properties. */
  readonly prepare?: (input: Values) => readonly string[];
  readonly properties?: z.ZodRawShape;
  /** More of them, for `Script` alone. */
  readonly scriptProperties?: z.ZodRawShape;
  /** One line of code that prints `ready`; a language with it also gets triggers. */
  readonly trigger?: string;
  readonly script: { readonly title: string; readonly code: string; readonly runs: boolean };
  readonly commands: { readonly title: string; readonly code: string; readonly runs: boolean };
}

const protocol = `Lines on standard output are logged at INFO, lines on standard error at ERROR. A line
\`::{"outputs": {"name": "value"}}::\` returns values instead, reached by \`outputs.<task>.vars.name\`; \`metrics\` and \`logs\`
work alike. An exit code other than 0 fails the task; what was returned until then is kept.`;

/** The two tasks of a language. */
export function defineLanguage(language: Language): readonly [TaskDefinition, TaskDefinition] {
  const { name, title } = language;
  const shape = () => shapeOf(language);
  const common = { output: scriptOutput, sideEffects: true, renderWith: folderVariables } as const;

  const script = defineTask({
    ...common,
    type: `scripts.${name}.Script`,
    title: `Run ${title} code`,
    description: `Runs code written in the flow.\n\n${protocol}`,
    input: () => z.object({ script: scriptProperty(title), ...shape(), ...language.scriptProperties }),
    examples: [language.script],
    run: (context, input) =>
      runScript(context, input as ScriptInput, scriptBody(language, input, String(input.script))),
  });

  const commands = defineTask({
    ...common,
    type: `scripts.${name}.Commands`,
    title: `Run commands with ${title} at hand`,
    description: `Runs shell commands, for programs kept in namespace files or input files.\n\n${protocol}`,
    input: () => z.object({ commands: commandsProperty(), ...shape() }),
    examples: [language.commands],
    run: (context, input) =>
      runScript(
        context,
        input as unknown as ScriptInput,
        commandLines(language, input, input.commands as readonly string[]),
      ),
  });
  return [script, commands];
}

/** The properties that tasks and triggers of a language share. */
export const shapeOf = ({ interpreter = ['/bin/sh', '-c'], containerImage, properties }: Language) => ({
  ...scriptProperties({ interpreter, containerImage }),
  ...properties,
});

/** Code of the flow, directly or from a file. */
export function scriptBody({ file, env, prepare }: Language, input: Values, code: string): ScriptBody {
  const written = typeof file === 'function' ? file(input) : file;
  return {
    lines: [...(prepare?.(input) ?? []), written ? written.command : code],
    ...(written && { file: { extension: written.extension, code } }),
    ...(env && { env }),
  };
}

export const commandLines = (
  { env, prepare }: Language,
  input: Values,
  commands: readonly string[],
): ScriptBody => ({ lines: [...(prepare?.(input) ?? []), ...commands], ...(env && { env }) });
