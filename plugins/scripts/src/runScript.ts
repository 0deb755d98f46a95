import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Outputs, TaskContext, Variables } from '@millrace/plugin-kit';
import {
  collectOutputFiles,
  ownPrefix,
  TaskFailed,
  type Warning,
  warning,
  writeInputFiles,
  writeInside,
  writeNamespaceFiles,
} from '@millrace/plugin-kit';
import { runJob } from './runners.ts';
import { type ReadLine, ScriptLog, type ScriptOutput } from './scriptOutput.ts';
import type { ScriptInput } from './scriptProperties.ts';
import { fetchNamedFiles } from './storedFilesInText.ts';

export interface ScriptBody {
  /** Lines for the interpreter; they may name stored files. */
  readonly lines: readonly string[];
  /** Code written to a file first; `{file}` in the lines is its path. */
  readonly file?: { readonly extension: string; readonly code: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Reads a line of a program that prints its own log format; undefined leaves the line as it is. */
  readonly readLine?: ReadLine;
}

/** Tasks in a shared folder each have their own. */
const outputFolderOf = ({ run }: TaskContext, folder: string): string =>
  join(folder, `${ownPrefix}outputs-${run.taskRunId}`);

/** `workingDir` and `outputDir`, for the expressions of a script task. */
export async function folderVariables(context: TaskContext): Promise<Variables> {
  const folder = await context.workingDirectory();
  return { workingDir: folder, outputDir: outputFolderOf(context, folder) };
}

/** How the commands of a task ended. A task that reads more results from the folder does it before `toResult`. */
export interface CommandsEnd {
  readonly folder: string;
  readonly outputs: ScriptOutput;
  /** Why the task fails; absent when the commands succeeded. */
  readonly failure?: string;
  readonly lineCounts: { readonly stdout: number; readonly stderr: number };
  readonly isWarning: boolean;
}

/** Runs the commands and returns their outputs; commands that fail, fail the task. */
export async function runScript(
  context: TaskContext,
  input: ScriptInput,
  body: ScriptBody,
): Promise<ScriptOutput | Warning> {
  return toResult(await runCommands(context, input, body));
}

/** The result of a task, merged with its own outputs if it has any. */
export function toResult<O extends Outputs>(
  end: CommandsEnd,
  outputs: O | undefined = undefined,
): (O & ScriptOutput) | Warning {
  const all = { ...end.outputs, ...outputs } as O & ScriptOutput; // both parts are in it
  if (end.failure !== undefined) throw new TaskFailed(end.failure, { outputs: all });
  return end.isWarning ? warning(all) : all;
}

/** Prepares the folder, runs the commands on the task's runner, and converts output to logs and outputs. */
export async function runCommands(
  context: TaskContext,
  input: ScriptInput,
  body: ScriptBody,
): Promise<CommandsEnd> {
  const folder = await prepareFolder(context, input);
  const outputFolder = outputFolderOf(context, folder);
  await mkdir(outputFolder, { recursive: true });
  const lines = [...input.beforeCommands, ...(await writeBody(context, folder, body))];
  const text = await fetchNamedFiles(context, folder, lines.join('\n'));

  const log = new ScriptLog(context, body.readLine);
  const end = await runJob(context, runnerOf(input), {
    command: await toCommand(folder, input, text),
    workingDirectory: folder,
    env: { WORKING_DIR: folder, OUTPUT_DIR: outputFolder, ...body.env, ...input.env },
    containerImage: input.containerImage,
    onStdout: log.onStdout,
    onStderr: log.onStderr,
  });
  await log.end();
  context.signal.throwIfAborted();
  await warnOfDropped(context, end.droppedBytes);

  const outputs: ScriptOutput = {
    vars: log.vars,
    exitCode: end.exitCode,
    outputFiles: {
      ...(await collectOutputFiles(context, folder, input.outputFiles)),
      ...(await collectOutputFiles(context, outputFolder, ['**'])),
    },
    ...(end.details && { taskRunner: end.details }),
  };
  const how = end.signal ? `signal ${end.signal}` : `exit code ${end.exitCode}`;
  return {
    folder,
    outputs,
    ...(end.exitCode !== 0 && { failure: `Command failed with ${how}` }),
    lineCounts: log.lineCounts,
    isWarning: input.warningOnStdErr && log.hasErrors,
  };
}

/** Prepares the working folder with the files of the namespace and the task. */
export async function prepareFolder(
  context: TaskContext,
  input: Pick<ScriptInput, 'namespaceFiles' | 'inputFiles'>,
): Promise<string> {
  const folder = await context.workingDirectory();
  if (input.namespaceFiles) await writeNamespaceFiles(context, folder, input.namespaceFiles);
  if (input.inputFiles !== undefined) await writeInputFiles(context, folder, input.inputFiles);
  return folder;
}

async function writeBody(
  context: TaskContext,
  folder: string,
  { lines, file }: ScriptBody,
): Promise<readonly string[]> {
  if (!file) return lines;
  const code = await fetchNamedFiles(context, folder, file.code);
  const path = await writeInside(folder, `${ownPrefix}${randomUUID()}${file.extension}`, code);
  return lines.map((line) => line.replaceAll('{file}', path));
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
/** One argument of a program may not be longer than 128 KB on Linux. */
const maxArgumentBytes = 100_000;

async function toCommand(folder: string, { interpreter, failFast, targetOS }: ScriptInput, text: string) {
  const program = basename(interpreter[0] ?? '');
  const isShell = shells.has(program);
  const lines = failFast && isShell ? `set -e\n${text}` : text;
  const script = targetOS === 'WINDOWS' ? lines.replaceAll('\n', '\r\n') : lines;
  if (!isShell || Buffer.byteLength(script) <= maxArgumentBytes) return toList([...interpreter, script]);
  const path = await writeInside(folder, `${ownPrefix}${randomUUID()}.sh`, script);
  return toList([...interpreter, `. '${path}'`]);
}

const toList = (parts: readonly string[]): [string, ...string[]] => [parts[0] ?? '', ...parts.slice(1)];

/** The older properties `runner` and `docker` have the same meaning and take precedence when set. */
function runnerOf({
  runner,
  docker,
  taskRunner,
}: ScriptInput): Readonly<Record<string, unknown>> | undefined {
  if (runner === 'DOCKER' || (docker && runner === undefined))
    return { ...docker, type: 'scripts.runner.docker.Docker' };
  return runner === 'PROCESS' ? undefined : taskRunner;
}

async function warnOfDropped(
  context: TaskContext,
  dropped: { stdout: number; stderr: number },
): Promise<void> {
  for (const [stream, bytes] of Object.entries(dropped)) {
    if (bytes > 0)
      await context.log('WARN', `The process wrote too much: ${bytes} bytes of its ${stream} were left out.`);
  }
}
