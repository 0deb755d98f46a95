import type { TriggerContext, TriggerDefinition } from '@millrace/plugin-kit';
import { defineTrigger, duration, fixed, flag, TaskFailed, text, Warning } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type ExitCondition, exitConditionWords, holds, readExitCondition } from './exitCondition.ts';
import { commandLines, type Language, scriptBody, shapeOf } from './language.ts';
import { folderVariables, runScript, type ScriptBody } from './runScript.ts';
import type { ScriptOutput } from './scriptOutput.ts';
import { commandsProperty, type ScriptInput, scriptProperty } from './scriptProperties.ts';

const output = z.object({
  timestamp: z.string().describe('When the script was run.'),
  condition: z.string().describe('The condition that held.'),
  exitCode: z.number().nullable().describe('How the script ended.'),
  vars: z.record(z.string(), z.unknown()).describe('What the script printed as `::{"outputs": {…}}::`.'),
});

const watching = {
  interval: fixed(duration()).prefault('PT1M').describe('The pause between two runs.'),
  exitCondition: text().describe(`What to wait for: ${exitConditionWords}.`),
  edge: flag()
    .default(true)
    .describe('Start an execution only when the condition begins to hold; otherwise after every run.'),
};

/** The two triggers of a language: run something again and again, and start when its end is as expected. */
export function defineScriptTriggers(language: Language): readonly [TriggerDefinition, TriggerDefinition] {
  const { name, title } = language;
  const shape = { ...shapeOf(language), ...watching };
  const common = { role: 'polling', output, renderWith: folderVariables } as const;
  const words = (what: string) =>
    `Runs ${what} every \`interval\` and starts an execution when \`exitCondition\` holds.`;
  return [
    defineTrigger({
      ...common,
      type: `scripts.${name}.ScriptTrigger`,
      title: `Start when ${title} code says so`,
      description: words('code written in the flow'),
      input: z.object({ script: scriptProperty(title), ...shape }),
      examples: [example(name, 'ScriptTrigger', `script: |\n      ${language.trigger ?? 'exit 1'}`)],
      poll: (context, input) => watch(context, input, scriptBody(language, input, String(input.script))),
    }),
    defineTrigger({
      ...common,
      type: `scripts.${name}.CommandsTrigger`,
      title: `Start when commands with ${title} at hand say so`,
      description: words('commands'),
      input: z.object({ commands: commandsProperty(), ...shape }),
      examples: [example(name, 'CommandsTrigger', 'commands:\n      - test -f /tmp/ready')],
      poll: (context, input) =>
        watch(context, input, commandLines(language, input, input.commands as string[])),
    }),
  ];
}

interface Watching {
  readonly exitCondition?: unknown;
  readonly edge?: unknown;
}

async function watch(
  context: TriggerContext,
  input: Watching,
  body: ScriptBody,
): Promise<z.input<typeof output> | undefined> {
  const condition = readExitCondition(String(input.exitCondition));
  const said = { stdout: new Tail(), stderr: new Tail() };
  const listening: TriggerContext = {
    ...context,
    log: (level, message) => {
      said[level === 'ERROR' ? 'stderr' : 'stdout'].add(message);
      return context.log('DEBUG', message);
    },
  };
  // `as`: the remaining properties are script task properties.
  const { exitCode, vars } = await runToEnd(listening, input as unknown as ScriptInput, body);
  const isMet = holds(condition, { exitCode, stdout: said.stdout.text, stderr: said.stderr.text, vars });
  const wasMet = context.memory === true;
  context.remember(isMet);
  if (!isMet || (input.edge === true && wasMet)) return undefined;
  return { timestamp: new Date().toISOString(), condition: describe(condition), exitCode, vars: { ...vars } };
}

const describe = ({ text: written }: ExitCondition): string => written;

/** Accepts any exit of the script, because the condition checks the exit. */
async function runToEnd(
  context: TriggerContext,
  input: ScriptInput,
  body: ScriptBody,
): Promise<ScriptOutput> {
  try {
    const result = await runScript(context, input, body);
    // `as`: a warning carries the same outputs.
    return result instanceof Warning ? (result.outputs as ScriptOutput) : result;
  } catch (error) {
    if (error instanceof TaskFailed && error.outputs) return error.outputs as ScriptOutput;
    throw error;
  }
}

/** The last `maxLength` characters of the output; the condition is tested on these only. */
class Tail {
  static readonly maxLength = 1024 * 1024;
  text = '';

  add(line: string): void {
    this.text = `${this.text}${line}\n`.slice(-Tail.maxLength);
  }
}

const example = (name: string, kind: string, body: string) => ({
  title: 'When something is there.',
  runs: false,
  code: `id: ${name}_${kind.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.condition }} at {{ trigger.timestamp }}"

triggers:
  - id: watch
    type: scripts.${name}.${kind}
    interval: PT30S
    exitCondition: ${kind === 'ScriptTrigger' ? 'stdout contains ready' : 'exit 0'}
    ${body}
`,
});
