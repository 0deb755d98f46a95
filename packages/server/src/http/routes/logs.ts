import { pipeline } from 'node:stream/promises';
import { AppError, type LogLevel, logs } from '@millrace/contract';
import type { ExecutionLogQuery, Store, StoredLog } from '@millrace/store';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { deleteLogs } from '../../actions/deleteLogs.ts';
import { findExecutionRecord } from '../../actions/findExecution.ts';
import type { Product } from '../../product.ts';
import { readDate } from '../../readDate.ts';
import { presentLog } from '../../views/presentLog.ts';
import { readFilters } from '../filters.ts';
import { mount, noContent } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';
import { followLogs } from '../streams/followLogs.ts';

interface Selection {
  readonly minLevel?: LogLevel | undefined;
  readonly taskRunId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly attempt?: number | undefined;
}

export function mountLogs(app: FastifyInstance, product: Product): void {
  const { store, clock, config } = product;

  mount(app, logs.searchLogs, async ({ query, request }) => {
    const context = { now: clock(), systemNamespace: config.systemNamespace };
    const filters = readFilters(request.query as QueryValues, 'log', context);
    const { results, total } = await store.searchLogs({ ...toPageQuery(query), filters });
    return { results: results.map(presentLog), total };
  });

  mount(app, logs.listLogs, async ({ params, query, reply }) => {
    const wanted = toLogQuery(params.executionId, query);
    const first = await store.listLogs({ ...wanted, limit: firstPageSize });
    if (first.length < firstPageSize) return first.map(presentLog);
    await sendPages(
      reply,
      { 'content-type': 'application/json; charset=utf-8' },
      listText(first, wanted, store),
    );
    return noContent;
  });

  mount(app, logs.getLogContext, async ({ params, query }) => {
    const { executionId } = params;
    const { message, lines } = query;
    const at = readDate(query.timestamp);
    const found = await store.logsAround({
      executionId,
      at,
      lines,
      ...(message === undefined ? {} : { message }),
    });
    if (!found)
      throw new AppError(
        'not-found',
        `the execution "${executionId}" has no log entry of ${query.timestamp} with this message`,
      );
    return { entries: found.entries.map(presentLog), index: found.index };
  });

  mount(app, logs.downloadLogs, async ({ params, query, reply }) => {
    await findExecutionRecord(product, params.executionId);
    await sendAsText(toLogQuery(params.executionId, query), reply, product);
  });

  mount(app, logs.deleteLogs, ({ params, query }) => {
    const { minLevel, taskId, taskRunId, attempt } = query;
    const selection = {
      ...params,
      ...(minLevel ? { minLevel } : {}),
      ...(taskId === undefined ? {} : { taskId }),
      ...(taskRunId === undefined ? {} : { taskRunId }),
      ...(attempt === undefined ? {} : { attempt }),
    };
    return deleteLogs(selection, product);
  });

  mount(app, logs.deleteFlowLogs, ({ params, query }) =>
    deleteLogs(
      { ...params, ...(query.triggerId === undefined ? {} : { triggerId: query.triggerId }) },
      product,
    ),
  );

  mount(app, logs.followLogs, ({ params, query, reply }) =>
    followLogs(
      {
        executionId: params.executionId,
        form: query.packed ? 'packed' : query.batch ? 'batch' : 'each',
        ...(query.minLevel ? { minLevel: query.minLevel } : {}),
      },
      reply,
      product,
    ),
  );
}

/** A task id is the strongest selector, then a task run with its attempt, then the whole execution. */
function toLogQuery(
  executionId: string,
  { minLevel, taskRunId, taskId, attempt }: Selection,
): ExecutionLogQuery {
  return {
    executionId,
    ...(minLevel ? { minLevel } : {}),
    ...(taskId === undefined
      ? { ...(taskRunId === undefined ? {} : { taskRunId, ...(attempt === undefined ? {} : { attempt }) }) }
      : { taskId }),
  };
}

/** Lines in memory at a time, whatever the size of the log. */
const pageSize = 1_000;
/** More than a screen shows, and quick to read: users wait for the first lines, not for the last. */
const firstPageSize = 200;

/** The log as plain text. */
function sendAsText(query: ExecutionLogQuery, reply: FastifyReply, { store }: Product): Promise<void> {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${query.executionId.replace(/[^\w.-]/g, '_')}.log"`,
  };
  return sendPages(reply, headers, plainText(query, store));
}

async function* plainText(query: ExecutionLogQuery, store: Store): AsyncGenerator<string> {
  for await (const entries of pagesAfter(0, query, store)) {
    yield entries.map((log) => `${new Date(log.at).toISOString()} ${log.level} ${log.message}\n`).join('');
  }
}

/** A large log as the same JSON list as a small one. A line break ends each page, so clients can split it. */
async function* listText(
  first: readonly StoredLog[],
  query: ExecutionLogQuery,
  store: Store,
): AsyncGenerator<string> {
  const toText = (entries: readonly StoredLog[]) =>
    entries.map((entry) => JSON.stringify(presentLog(entry))).join(',');
  yield `[${toText(first)}\n`;
  for await (const entries of pagesAfter(first.at(-1)?.id ?? 0, query, store)) yield `,${toText(entries)}\n`;
  yield ']';
}

async function* pagesAfter(
  lastId: number,
  query: ExecutionLogQuery,
  store: Store,
): AsyncGenerator<readonly StoredLog[]> {
  for (let afterId = lastId; ; ) {
    const entries = await store.listLogs({ ...query, afterId, limit: pageSize });
    if (entries.length > 0) yield entries;
    if (entries.length < pageSize) return;
    afterId = entries.at(-1)?.id ?? afterId;
  }
}

/** Sends piece by piece, at the pace of the reader: a large log is never in memory as a whole. */
async function sendPages(
  reply: FastifyReply,
  more: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const { raw } = reply;
  const headers = reply.getHeaders();
  reply.hijack();
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    ...more,
    'cache-control': 'no-cache',
  });
  try {
    // A failure closes the connection: a partial response must not look complete.
    await pipeline(pieces, raw);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  }
}

/** The reader closed the connection before the end. */
const hasLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
