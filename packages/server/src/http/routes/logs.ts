import { once } from 'node:events';
import { AppError, type LogLevel, logs } from '@millrace/contract';
import type { ExecutionLogQuery } from '@millrace/store';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { deleteLogs } from '../../actions/deleteLogs.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import { presentLog } from '../presentLog.ts';
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

  mount(app, logs.listLogs, async ({ params, query }) => {
    const entries = await store.listLogs(toLogQuery(params.executionId, query));
    return entries.map(presentLog);
  });

  mount(app, logs.downloadLogs, async ({ params, query, reply }) => {
    const stored = await store.getExecution(params.executionId);
    if (!stored) throw new AppError('not-found', `there is no execution "${params.executionId}"`);
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
      { executionId: params.executionId, ...(query.minLevel ? { minLevel: query.minLevel } : {}) },
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

const pageSize = 5_000;

/** Sends the log page by page, at the pace of the reader: a large log is never in memory as a whole. */
async function sendAsText(query: ExecutionLogQuery, reply: FastifyReply, { store }: Product): Promise<void> {
  const { raw } = reply;
  const headers = reply.getHeaders();
  reply.hijack();
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${query.executionId.replace(/[^\w.-]/g, '_')}.log"`,
    'cache-control': 'no-cache',
  });
  for (let afterId = 0; !raw.destroyed; ) {
    const entries = await store.listLogs({ ...query, afterId, limit: pageSize });
    const text = entries
      .map((log) => `${new Date(log.at).toISOString()} ${log.level} ${log.message}\n`)
      .join('');
    if (!raw.write(text)) await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
    afterId = entries.at(-1)?.id ?? afterId;
    if (entries.length < pageSize) break;
  }
  raw.end();
}
