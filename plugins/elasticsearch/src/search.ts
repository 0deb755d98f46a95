import {
  anything,
  choice,
  defineTask,
  listOf,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  type Answer,
  type Connection,
  call,
  connectionProperty,
  type Engine,
  isMap,
  segment,
} from './client.ts';
import { requestMetrics, searchExample } from './example.ts';
import { fetchTypeProperty, keepRows, rowsOutput } from './rows.ts';

export const contentTypeProperty = () =>
  choice(['CBOR', 'JSON', 'SMILE', 'YAML']).default('JSON').describe('How a text is written: JSON or YAML.');

/** The media type of a body; the binary formats cannot be written in a flow. */
export function mediaType(contentType: string): string {
  if (contentType === 'JSON') return 'application/json';
  if (contentType === 'YAML') return 'application/yaml';
  throw new TaskFailed(`The content type ${contentType} is not supported; use JSON or YAML.`, {
    retry: false,
  });
}

const searchProperties = {
  connection: connectionProperty(),
  routing: text().optional().describe('The shard to use.'),
  indexes: listOf(text()).optional().describe('The indexes; all of them when absent.'),
  request: anything().optional().describe('The search request, as a map or as text; everything when absent.'),
  contentType: contentTypeProperty(),
};

interface SearchInput {
  readonly connection: Connection;
  readonly routing?: string | undefined;
  readonly indexes?: readonly string[] | undefined;
  readonly request?: unknown;
  readonly contentType: string;
}

/** Sends a request and counts it. */
export async function counted(context: TaskContext, send: () => Promise<Answer>): Promise<Answer> {
  const start = performance.now();
  const answer = await send();
  context.metric({ name: 'requests.count', type: 'counter', value: 1 });
  context.metric({ name: 'requests.duration', type: 'timer', value: Math.round(performance.now() - start) });
  return answer;
}

function startSearch(context: TaskContext, input: SearchInput, scroll?: string): Promise<Answer> {
  const indexes = (input.indexes ?? []).map(segment).join(',');
  return counted(context, () =>
    call(context, input.connection, {
      method: 'POST',
      path: indexes === '' ? '_search' : `${indexes}/_search`,
      parameters: { routing: input.routing, scroll },
      body: input.request ?? {},
      contentType: typeof input.request === 'string' ? mediaType(input.contentType) : 'application/json',
    }),
  );
}

/** The documents of a response, their number and the id of the next page. */
function readHits({ body }: Answer): { rows: unknown[]; total: number; scrollId?: string } {
  const hits = isMap(body) && isMap(body.hits) ? body.hits : {};
  const list = Array.isArray(hits.hits) ? hits.hits : [];
  const total = isMap(hits.total) ? Number(hits.total.value) : Number(hits.total ?? list.length);
  const scrollId = isMap(body) && typeof body._scroll_id === 'string' ? body._scroll_id : undefined;
  return {
    rows: list.map((hit) => (isMap(hit) ? (hit._source ?? hit.fields ?? {}) : hit)),
    total,
    ...(scrollId !== undefined && { scrollId }),
  };
}

export const defineSearch = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Search`,
    title: `Search ${engine.title}`,
    description: 'Sends a search request and returns the documents that it finds, one page at most.',
    input: () => z.object({ ...searchProperties, fetchType: fetchTypeProperty() }),
    output: () => z.object(rowsOutput),
    metrics: requestMetrics,
    sideEffects: true,
    examples: [
      searchExample(engine, 'Search', 'Find orders.', [
        'indexes:',
        '  - orders',
        'request:',
        '  query:',
        '    term:',
        '      customer: Ada',
      ]),
    ],
    async run(context, { fetchType, ...input }) {
      const { rows, total } = readHits(await startSearch(context, input));
      return keepRows(context, rows, total, fetchType);
    },
  });

const keepAlive = '60s';

export const defineScroll = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Scroll`,
    title: `Read all results of a search in ${engine.title}`,
    description: 'Sends a search request and stores all documents that it finds in a file, page by page.',
    input: () => z.object(searchProperties),
    output: () =>
      z.object({
        size: z.number().describe('How many rows the file has.'),
        uri: z.string().describe('The file.'),
      }),
    metrics: requestMetrics,
    sideEffects: true,
    examples: [
      searchExample(engine, 'Scroll', 'Export an index.', [
        'indexes:',
        '  - orders',
        'request:',
        '  size: 1000',
      ]),
    ],
    async run(context, input) {
      let size = 0;
      let scrollId: string | undefined;
      const rows = async function* () {
        let page = readHits(await startSearch(context, input, keepAlive));
        for (;;) {
          scrollId = page.scrollId ?? scrollId;
          if (page.rows.length === 0 || scrollId === undefined) return;
          size += page.rows.length;
          for (const row of page.rows) yield toRow(row);
          const body = { scroll: keepAlive, scroll_id: scrollId };
          page = readHits(
            await counted(context, () =>
              call(context, input.connection, { method: 'POST', path: '_search/scroll', body }),
            ),
          );
        }
      };
      try {
        const uri = await context.files.put('rows.ion', rows());
        context.metric({ name: 'records', type: 'counter', value: size });
        return { size, uri };
      } finally {
        if (scrollId !== undefined) await closeScroll(context, input.connection, scrollId);
      }
    },
  });

/** The scroll expires on the server after a minute, so a failure here is harmless. */
async function closeScroll(context: TaskContext, connection: Connection, scrollId: string): Promise<void> {
  const body = { scroll_id: [scrollId] };
  await call(context, connection, { method: 'DELETE', path: '_search/scroll', body, allow: [404] }).catch(
    () => {},
  );
}
