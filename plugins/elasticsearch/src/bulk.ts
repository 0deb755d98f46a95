import {
  defineTask,
  flag,
  integer,
  readItems,
  readRows,
  storageUri,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Connection, call, connectionProperty, type Engine, isMap } from './client.ts';
import { opTypeProperty } from './documents.ts';
import { requestMetrics, searchExample } from './example.ts';
import { counted } from './search.ts';

const base = {
  connection: connectionProperty(),
  routing: text().optional().describe('The shard to use.'),
  from: storageUri().describe('The file in internal storage.'),
  chunk: integer({ min: 1 }).default(1000).describe('How many operations are sent at once.'),
};
const output = () => z.object({ size: z.number().describe('How many operations were done.') });
const fileInput = '  - id: file\n    type: FILE';

interface BulkInput {
  readonly connection: Connection;
  readonly routing?: string | undefined;
  readonly chunk: number;
}

/** Sends operations in chunks; each operation is its lines of NDJSON. */
export async function sendAll(
  context: TaskContext,
  { connection, routing, chunk }: BulkInput,
  operations: AsyncIterable<string>,
): Promise<{ size: number }> {
  let size = 0;
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const body = batch.join('');
    const answer = await counted(context, () =>
      call(context, connection, {
        method: 'POST',
        path: '_bulk',
        parameters: { routing },
        body,
        contentType: 'application/x-ndjson',
      }),
    );
    checkItems(answer.body);
    size += batch.length;
    batch = [];
  };
  for await (const operation of operations) {
    batch.push(operation);
    if (batch.length >= chunk) await flush();
  }
  await flush();
  context.metric({ name: 'records', type: 'counter', value: size });
  return { size };
}

const maxReasons = 10;

/** A bulk request succeeds even when single operations fail, so each operation is checked. */
function checkItems(body: unknown): void {
  if (!isMap(body) || body.errors !== true || !Array.isArray(body.items)) return;
  const failed = body.items.flatMap((item) => Object.values(isMap(item) ? item : {})).filter(isMap);
  const reasons = failed.flatMap(({ _id, error }) =>
    isMap(error) ? [`${_id}: ${error.type}: ${error.reason}`] : [],
  );
  const shown = reasons.slice(0, maxReasons).join('; ');
  const more = reasons.length > maxReasons ? ` and ${reasons.length - maxReasons} more` : '';
  throw new TaskFailed(`${reasons.length} operations failed: ${shown}${more}`, { retry: false });
}

export const defineBulk = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Bulk`,
    title: `Send a bulk file to ${engine.title}`,
    description:
      'Sends a file that is written in the bulk format already: a line for the operation, then a line for the document. An operation that fails, fails the task.',
    input: () => z.object(base),
    output,
    metrics: requestMetrics,
    sideEffects: true,
    examples: [searchExample(engine, 'Bulk', 'Send a bulk file.', ['from: "{{ inputs.file }}"'], fileInput)],
    run: async (context, { from, ...input }) =>
      sendAll(context, input, readOperations(await context.files.read(from))),
  });

/** An operation and its document; a deletion has none. */
async function* readOperations(content: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let pending: string | undefined;
  for await (const line of readItems(content, '\n')) {
    if (line.trim() === '') continue;
    if (pending !== undefined) {
      yield `${pending}\n${line}\n`;
      pending = undefined;
    } else if (/^\s*\{\s*"delete"/.test(line)) yield `${line}\n`;
    else pending = line;
  }
  if (pending !== undefined)
    throw new TaskFailed(`The last operation has no document: ${pending.slice(0, 200)}`, { retry: false });
}

export const defineLoad = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Load`,
    title: `Load rows into ${engine.title}`,
    description: 'Stores each row of a file as a document. A row that is refused fails the task.',
    input: () =>
      z.object({
        ...base,
        index: text().describe('The index.'),
        opType: opTypeProperty().default('INDEX'),
        idKey: text()
          .optional()
          .describe('The field of a row that holds the id; made by the server when absent.'),
        removeIdKey: flag().default(true).describe('Leave that field out of the document.'),
      }),
    output,
    metrics: requestMetrics,
    sideEffects: true,
    examples: [
      searchExample(
        engine,
        'Load',
        'Load a file.',
        ['from: "{{ inputs.file }}"', 'index: orders', 'idKey: id'],
        fileInput,
      ),
    ],
    run: (context, { from, index, opType, idKey, removeIdKey, ...input }) => {
      const operation = opType.toLowerCase();
      const operations = async function* () {
        for await (const { value } of readRows(context, from)) {
          const row = isMap(value) ? value : { value };
          const id = idKey === undefined ? undefined : row[idKey];
          const about = { [operation]: { _index: index, ...(id !== undefined && { _id: String(id) }) } };
          const document = Object.fromEntries(
            Object.entries(row).filter(([name]) => !(removeIdKey && name === idKey)),
          );
          if (opType === 'DELETE') yield `${JSON.stringify(about)}\n`;
          else
            yield `${JSON.stringify(about)}\n${JSON.stringify(opType === 'UPDATE' ? { doc: document } : document)}\n`;
        }
      };
      return sendAll(context, input, operations());
    },
  });
