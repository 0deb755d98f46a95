import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chunksOf,
  isStorageUri,
  ownPrefix,
  readText,
  readTypedRows,
  type TaskContext,
  TaskFailed,
  toIonText,
  toJsonValue,
  writeInside,
} from '@millrace/plugin-kit';
import { ScriptLog } from '../scriptOutput.ts';

/** An interpreter on the worker that evaluates the scripts of a language. */
export interface Interpreter {
  readonly program: string;
  readonly driver: { readonly name: string; readonly code: string };
}

interface Job {
  readonly script: string;
  readonly outputs?: readonly string[];
  /** Files that the script may import, by name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Rows for the script, one call each. */
  readonly rows?: AsyncIterable<string>;
}

/** Runs a job in a process and hands the path of the file that it wrote to `read`. */
export async function evaluateScript<T>(
  context: TaskContext,
  { program, driver }: Interpreter,
  { script, outputs = [], modules = {}, rows }: Job,
  read: (path: string) => Promise<T>,
): Promise<T> {
  const name = `${ownPrefix}eval-${randomUUID()}`;
  const folder = join(await context.workingDirectory(), name);
  await mkdir(folder);
  try {
    for (const [path, content] of Object.entries(modules))
      await writeInside(
        folder,
        `modules/${path}`,
        isStorageUri(content) ? await readText(context.files, content) : content,
      );
    const target = join(folder, 'result');
    // The process may run as another user, who may write this file only if it exists.
    await writeInside(folder, 'result', '');
    if (rows) await writeInside(folder, 'rows', chunksOf(rows, context.signal));
    const job = {
      script,
      outputs,
      variables: toJsonValue(context.variables),
      modules: join(folder, 'modules'),
      target,
      ...(rows && { source: join(folder, 'rows') }),
    };
    const jobFile = await writeInside(folder, 'job.json', JSON.stringify(job));
    const driverFile = await writeInside(folder, driver.name, driver.code);
    await runProcess(context, [program, driverFile, jobFile]);
    return await read(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runProcess(context: TaskContext, command: [string, ...string[]]): Promise<void> {
  const log = new ScriptLog(context);
  const { exitCode, signal } = await context
    .spawn({
      command,
      workingDirectory: await context.workingDirectory(),
      signal: context.signal,
      onStdout: log.onStdout,
      onStderr: log.onStderr,
    })
    .catch((cause: unknown) => {
      context.signal.throwIfAborted();
      throw new TaskFailed(`"${command[0]}" cannot be started; install it on the worker.`, { cause });
    });
  await log.end();
  context.signal.throwIfAborted();
  if (exitCode === 127) throw new TaskFailed(`"${command[0]}" is not installed on the worker.`);
  if (exitCode !== 0)
    throw new TaskFailed(`The script failed with ${signal ? `signal ${signal}` : `exit code ${exitCode}`}.`);
}

export async function readResult(
  path: string,
): Promise<{ result?: unknown; outputs: Record<string, unknown> }> {
  const text = await readFile(path, 'utf8');
  // `as`: the driver writes this shape.
  return JSON.parse(text) as { result?: unknown; outputs: Record<string, unknown> };
}

/** Rows for a script as lines of JSON, from a file of internal storage or from JSON in the flow. */
export async function* rowLines(context: TaskContext, from: string): AsyncGenerator<string> {
  if (isStorageUri(from.trim())) {
    for await (const row of readTypedRows(context, from.trim()))
      yield `${JSON.stringify(toJsonValue(row))}\n`;
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(from);
  } catch (cause) {
    throw new TaskFailed('"from" must be the URI of a file in internal storage, or JSON.', {
      retry: false,
      cause,
    });
  }
  for (const row of Array.isArray(value) ? value : [value]) yield `${toIonText(row)}\n`;
}

/** Stores the rows that a script wrote and counts them. */
export async function storeRows(context: TaskContext, path: string): Promise<{ uri: string; count: number }> {
  let count = 0;
  async function* counted() {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === 10) count++;
      yield chunk;
    }
  }
  return { uri: await context.files.put('rows.ion', counted()), count };
}
