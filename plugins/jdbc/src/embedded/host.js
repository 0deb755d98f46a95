/**
 * The process of an embedded database. It runs the statements of one task and writes the rows of each result
 * to a file, so that a long statement neither blocks the server nor uses its memory, and killing the task
 * stops it at once.
 *
 * Started as `node host.js <request file>`. The outcome is written to `outcome.json` next to the result
 * files.
 */
import { once } from 'node:events';
import { createWriteStream, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactJson } from '../base/exactNumber.js';

/**
 * @typedef {Record<string, unknown>} Row
 * @typedef {object} EmbeddedSession
 * @property {(sql: string, values: readonly unknown[]) => Promise<AsyncIterable<readonly Row[]> | undefined>} run
 * @property {() => Promise<void>} close
 *
 * @typedef {object} HostRequest
 * @property {'duckdb' | 'sqlite'} driver
 * @property {string} database the file or name of the database
 * @property {string} folder where results go
 * @property {string} zone
 * @property {readonly string[]} extensions
 * @property {readonly { sql: string, values: readonly unknown[], isKept: boolean }[]} statements
 * @property {boolean} transaction
 * @property {'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE'} fetchType
 *
 * @typedef {object} HostOutcome
 * @property {string} [error]
 * @property {readonly string[]} warnings
 * @property {readonly { size: number, file?: string }[]} results one for each kept statement that returned rows
 */

const chunkBytes = 256 * 1024;

/** Node does not see the memory that a driver holds for rows which were read, and collects it much too late. */
const collectAfterBytes = 8 * 1024 * 1024;

async function main() {
  const file = process.argv[2] ?? '';
  /** @type {HostRequest} */
  const request = JSON.parse(readFileSync(file, 'utf8'));
  unlinkSync(file);
  /** @type {string[]} */
  const warnings = [];
  /** @type {HostOutcome} */
  let outcome;
  try {
    outcome = { warnings, results: await runAll(request, warnings) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome = { warnings, results: [], error: message.replace(/^Failed to \w+ statements?: /, '') };
  }
  writeFileSync(join(request.folder, 'outcome.json'), JSON.stringify(outcome));
}

/** @param {HostRequest} request @param {string[]} warnings */
async function runAll(request, warnings) {
  const session = await open(request, (message) => warnings.push(message));
  try {
    if (!request.transaction) return await runStatements(session, request);
    await session.run('BEGIN TRANSACTION', []);
    try {
      const results = await runStatements(session, request);
      await session.run('COMMIT', []);
      return results;
    } catch (error) {
      await session.run('ROLLBACK', []).catch(() => {});
      throw error;
    }
  } finally {
    await session.close();
  }
}

/**
 * Loads only the library that is needed.
 * @param {HostRequest} request @param {(message: string) => void} warn
 * @returns {Promise<EmbeddedSession>}
 */
async function open(request, warn) {
  if (request.driver === 'sqlite') return (await import('./sqlite.js')).openSqlite(request);
  return (await import('./duckdb.js')).openDuckdb(request, warn);
}

/** @param {EmbeddedSession} session @param {HostRequest} request */
async function runStatements(session, { statements, fetchType, folder }) {
  /** @type {{ size: number, file?: string }[]} */
  const results = [];
  for (const { sql, values, isKept } of statements) {
    const batches = await session.run(sql, values);
    if (!batches) continue;
    if (!isKept || fetchType === 'NONE') {
      for await (const _ of batches);
      if (isKept) results.push({ size: 0 });
    } else {
      const file = `${results.length}.rows`;
      results.push({ file, size: await writeRows(join(folder, file), batches, fetchType === 'FETCH_ONE') });
    }
  }
  return results;
}

/** @param {string} path @param {AsyncIterable<readonly Row[]>} batches @param {boolean} isOneEnough */
async function writeRows(path, batches, isOneEnough) {
  const stream = createWriteStream(path, { mode: 0o600 });
  let size = 0;
  let text = '';
  let uncollected = 0;
  const flush = async () => {
    if (!stream.write(text)) await once(stream, 'drain');
    uncollected += text.length;
    text = '';
    if (uncollected < collectAfterBytes) return;
    uncollected = 0;
    globalThis.gc?.();
  };
  for await (const batch of batches) {
    for (const row of isOneEnough ? batch.slice(0, 1) : batch) {
      text += `${exactJson(row)}\n`;
      size++;
      if (text.length > chunkBytes) await flush();
    }
    if (isOneEnough && size > 0) break;
  }
  stream.end(text);
  await once(stream, 'finish');
  return size;
}

// The server's build has no top-level await; a failure here ends the process, which the task reports.
void main();
