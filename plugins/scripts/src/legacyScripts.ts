import {
  anything,
  defineTask,
  fixed,
  flag,
  listOf,
  mapOf,
  type TaskContext,
  type TaskDefinition,
  text,
  textOrList,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { folderVariables, runScript } from './runScript.ts';
import { scriptOutput } from './scriptOutput.ts';
import { type ScriptInput, scriptProperties } from './scriptProperties.ts';
import { shellQuote as quote } from './shellQuote.ts';

/**
 * The script tasks that preceded `Script` and `Commands`. They have their own properties, and in their
 * commands the expression `outputFiles.<name>` is the path of that file.
 */
interface Legacy {
  readonly type: string;
  readonly alias: string;
  readonly title: string;
  readonly successor: string;
  readonly containerImage: string;
  readonly properties: z.ZodRawShape;
  /** The commands of a task that writes none. */
  readonly commands?: (input: LegacyInput) => readonly string[];
  /** Commands that run first. */
  readonly prepare?: (input: LegacyInput, commands: readonly string[]) => readonly string[];
  readonly example: string;
}

const ownProperties = {
  exitOnFailed: flag().default(true).describe('Stop at the first command that fails.'),
  interpreter: textOrList().default(['/bin/sh']).describe('The program that runs the commands.'),
  interpreterArgs: listOf(text()).optional().describe('Its options; `-c` when absent.'),
  dockerOptions: fixed(mapOf(anything()))
    .optional()
    .describe('For `runner: DOCKER`: `image` and the properties of `scripts.runner.docker.Docker`.'),
};
const argsProperty = listOf(text()).default([]).describe('Arguments of the default command.');

const Input = z.object({
  ...scriptProperties({ interpreter: [], containerImage: '' }),
  ...ownProperties,
  commands: textOrList().optional(),
  args: argsProperty,
});
type LegacyInput = z.infer<typeof Input> & Readonly<Record<string, unknown>>;

const commandLine = (program: string, file: string, args: readonly string[]): string =>
  [program, file, ...args.map(quote)].join(' ');

function defineLegacy(legacy: Legacy): TaskDefinition {
  const isRequired = legacy.commands === undefined;
  const commands = textOrList().describe('The commands, run in order.');
  return defineTask({
    type: legacy.type,
    aliases: [legacy.alias],
    deprecated: true,
    title: legacy.title,
    description: `The older form of ${legacy.successor}, kept for flows that use it.`,
    input: () =>
      z.object({
        ...scriptProperties({ interpreter: [], containerImage: legacy.containerImage }),
        ...ownProperties,
        commands: isRequired ? commands : commands.optional(),
        ...legacy.properties,
      }),
    output: scriptOutput,
    sideEffects: true,
    raw: ['commands'],
    renderWith: folderVariables,
    examples: [{ title: 'As it was written.', runs: false, code: legacy.example }],
    run: async (context, read) => {
      const input = read as unknown as LegacyInput;
      const lines = await renderCommands(context, input, legacy);
      return runScript(context, toScriptInput(input), {
        lines: [...(legacy.prepare?.(input, lines) ?? []), ...lines],
      });
    },
  });
}

/** Renders the commands late, because the names of the output files are known only now. */
async function renderCommands(
  context: TaskContext,
  input: LegacyInput,
  legacy: Legacy,
): Promise<readonly string[]> {
  const written = input.commands ?? [];
  if (written.length === 0) return legacy.commands?.(input) ?? [];
  const folder = await context.workingDirectory();
  const outputFiles = Object.fromEntries(input.outputFiles.map((name) => [name, `${folder}/${name}`]));
  const variables = { ...(await folderVariables(context)), outputFiles };
  const rendered = await context.render(written.length === 1 ? written[0] : written, variables);
  return textOrList().parse(rendered);
}

function toScriptInput(input: LegacyInput): ScriptInput {
  const { interpreter, interpreterArgs, exitOnFailed, dockerOptions, docker, ...rest } = input;
  const isWhole = interpreter.length > 1 && interpreterArgs === undefined;
  const options = docker ?? (input.runner === 'DOCKER' ? toDocker(dockerOptions) : undefined);
  return {
    ...rest,
    interpreter: isWhole ? interpreter : [...interpreter, ...(interpreterArgs ?? ['-c'])],
    failFast: exitOnFailed && input.failFast,
    docker: options,
  };
}

/** Two of the options had other names, and pulling was a switch. */
function toDocker(options: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { dockerHost, dockerConfig, pullImage, ...same } = options;
  return {
    ...same,
    ...(dockerHost !== undefined && { host: dockerHost }),
    ...(dockerConfig !== undefined && { config: dockerConfig }),
    ...(pullImage === false && { pullPolicy: 'NEVER' }),
  };
}

const bash = defineLegacy({
  type: 'scripts.shell.Bash',
  alias: 'io.kestra.core.tasks.scripts.Bash',
  title: 'Run shell commands (older form)',
  successor: '`scripts.shell.Commands` and `scripts.shell.Script`',
  containerImage: 'ubuntu',
  properties: {},
  example: `id: older_bash
namespace: company.team

tasks:
  - id: write
    type: scripts.shell.Bash
    outputFiles:
      - first
    commands:
      - echo "1" > {{ outputFiles.first }}
`,
});

const python = defineLegacy({
  type: 'scripts.python.Python',
  alias: 'io.kestra.core.tasks.scripts.Python',
  title: 'Run Python files (older form)',
  successor: '`scripts.python.Commands` and `scripts.python.Script`',
  containerImage: 'python:3.13-slim',
  properties: {
    args: argsProperty,
    requirements: listOf(text()).default([]).describe('Packages to install first.'),
    virtualEnv: flag().default(true).describe('Install the packages into an environment of the task.'),
    pythonPath: text().default('python3').describe('The Python to run with.'),
  },
  commands: (input) => [commandLine(pythonOf(input), 'main.py', input.args)],
  prepare: (input, commands) => {
    const names = (input.requirements as readonly string[]).map(quote).join(' ');
    const python = String(input.pythonPath);
    const needsFolder = input.virtualEnv === true && commands.some((line) => line.includes('./bin/'));
    const make = names !== '' && input.virtualEnv === true;
    return [
      'if [ -f pip.conf ]; then export PIP_CONFIG_FILE="$PWD/pip.conf"; fi',
      ...(make || needsFolder ? [`${python} -m venv .`, '. ./bin/activate'] : []),
      ...(names === '' ? [] : [`${make ? './bin/python' : python} -m pip install -q ${names}`]),
    ];
  },
  example: `id: older_python
namespace: company.team

tasks:
  - id: run
    type: scripts.python.Python
    args:
      - "{{ flow.id }}"
    inputFiles:
      main.py: |
        import sys
        print(sys.argv[1])
`,
});

/** Inside the environment of the task when there is one. */
function pythonOf(input: LegacyInput): string {
  const hasPackages = (input.requirements as readonly string[]).length > 0;
  return hasPackages && input.virtualEnv === true ? './bin/python' : String(input.pythonPath);
}

const node = defineLegacy({
  type: 'scripts.node.Node',
  alias: 'io.kestra.core.tasks.scripts.Node',
  title: 'Run Node.js files (older form)',
  successor: '`scripts.node.Commands` and `scripts.node.Script`',
  containerImage: 'node',
  properties: {
    args: argsProperty,
    nodePath: text().default('node').describe('The Node.js to run with.'),
    npmPath: text().default('npm').describe('Installs the packages of a `package.json`.'),
  },
  commands: (input) => [commandLine(String(input.nodePath), 'main.js', input.args)],
  prepare: (input) => [`if [ -f package.json ]; then ${String(input.npmPath)} install --silent; fi`],
  example: `id: older_node
namespace: company.team

tasks:
  - id: run
    type: scripts.node.Node
    inputFiles:
      main.js: |
        console.log('hello')
`,
});

export const legacyScripts: readonly TaskDefinition[] = [bash, python, node];
