import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ownPrefix,
  readInside,
  readItems,
  type TaskContext,
  TaskFailed,
  writeInside,
} from '@millrace/plugin-kit';
import { bindParameters } from '../base/bindParameters.ts';
import { parseExactJson } from '../base/exactNumber.js';
import { countRows, type FetchType, fetchTypeOf, type KeptRows, keepRows } from '../base/keepRows.ts';
import type { SqlSyntax } from '../base/lexSql.ts';
import type { StatementInput } from '../base/runStatements.ts';
import type { Row } from '../base/session.ts';
import { startsTransaction } from '../base/splitStatements.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import type { HostOutcome, HostRequest } from './host.js';
import { hostUrl } from './hostUrl.ts';

export interface EmbeddedDatabase {
  readonly driver: HostRequest['driver'];
  readonly title: string;
  readonly syntax: SqlSyntax;
}

export interface EmbeddedRun {
  /** The file or name of the database. */
  readonly path: string;
  readonly statements: readonly string[];
  readonly after: readonly string[];
  readonly transaction: boolean;
  readonly extensions?: readonly string[];
}

/** A process may be killed at once: its files are thrown away anyway. */
const graceMs = 200;

/** The process collects the memory of rows itself (`host.js`); a large young generation would keep them longer. */
const hostFlags = ['--expose-gc', '--max-semi-space-size=4'];

/** Runs statements in a process of the embedded database and keeps the rows of each that returned some. */
export async function runEmbedded(
  context: TaskContext,
  { driver, title, syntax }: EmbeddedDatabase,
  input: StatementInput,
  run: EmbeddedRun,
): Promise<KeptRows[]> {
  const workingDirectory = await context.workingDirectory();
  const folder = await mkdtemp(join(workingDirectory, `${ownPrefix}sql-`));
  const fetchType = fetchTypeOf(input);
  const bind = (sql: string, isKept: boolean) => ({
    ...bindParameters(sql, input.parameters, syntax, () => '?'),
    isKept,
  });
  const request: HostRequest = {
    driver,
    database: run.path,
    folder,
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
    extensions: run.extensions ?? [],
    statements: [
      ...run.statements.map((sql) => bind(sql, true)),
      ...run.after.map((sql) => bind(sql, false)),
    ],
    transaction: run.transaction && !run.statements.some(startsTransaction),
    fetchType,
  };
  try {
    await mkdir(join(folder, 'spill'));
    const results = await runHost(context, title, { folder, workingDirectory }, request);
    const kept: KeptRows[] = [];
    for (const result of results) kept.push(await keepResult(context, fetchType, folder, result));
    return kept;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Folders {
  readonly folder: string;
  readonly workingDirectory: string;
}

async function runHost(
  context: TaskContext,
  title: string,
  { folder, workingDirectory }: Folders,
  request: HostRequest,
): Promise<HostOutcome['results']> {
  await writeInside(folder, 'request.json', JSON.stringify(request));
  let printed = '';
  const collect = (chunk: Uint8Array) => {
    printed = (printed + Buffer.from(chunk).toString()).slice(-2_000);
  };
  const { exitCode, signal } = await context.spawn({
    command: [process.execPath, ...hostFlags, fileURLToPath(hostUrl()), join(folder, 'request.json')],
    workingDirectory,
    graceMs,
    onStdout: collect,
    onStderr: collect,
  });
  context.signal.throwIfAborted();
  if (exitCode !== 0) {
    const end = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
    throw new TaskFailed(`The process of ${title} was ended ${end}. ${printed}`.trim());
  }
  // `as`: written by the process that has just ended.
  const outcome = JSON.parse(await readFile(join(folder, 'outcome.json'), 'utf8')) as HostOutcome;
  for (const warning of outcome.warnings) await context.log('WARN', warning);
  if (outcome.error !== undefined) throw new TaskFailed(`${title}: ${outcome.error}`);
  return outcome.results;
}

async function keepResult(
  context: TaskContext,
  fetchType: FetchType,
  folder: string,
  { size, file }: HostOutcome['results'][number],
): Promise<KeptRows> {
  if (file === undefined) return {};
  const kept =
    fetchType === 'STORE'
      ? {
          uri: await context.files.put(
            `${folder.slice(-6)}-${file.replace('.rows', '.ion')}`,
            readInside(folder, file),
          ),
          size,
        }
      : await keepRows(context, fetchType, readBatches(folder, file));
  countRows(context, fetchType, kept);
  return kept;
}

async function* readBatches(folder: string, file: string): AsyncGenerator<readonly Row[]> {
  // `as`: each line was written from a row.
  for await (const line of readItems(readInside(folder, file), '\n')) yield [parseExactJson(line) as Row];
}
