import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { LogEntry, LogLevel } from '../log.ts';
import { flag, Paging, pagedOf } from '../paging.ts';

const ById = z.object({ executionId: z.string() });
const Selection = z.looseObject({
  minLevel: LogLevel.optional(),
  taskRunId: z.string().optional(),
  taskId: z.string().optional(),
  attempt: z.coerce.number().int().optional(),
});

export const searchLogs = endpoint({
  method: 'GET',
  path: '/logs/search',
  summary: 'Searches log entries of all executions and triggers',
  query: z.looseObject({
    ...Paging.shape,
    q: z.string().optional(),
    namespace: z.string().optional(),
    flowId: z.string().optional(),
    triggerId: z.string().optional(),
    minLevel: LogLevel.optional(),
    startDate: z.string().optional(),
    endDate: z.string().optional(),
  }),
  reply: pagedOf(LogEntry),
});

export const listLogs = endpoint({
  method: 'GET',
  path: '/logs/{executionId}',
  summary: 'Lists the log entries of an execution, oldest first',
  params: ById,
  query: Selection,
  reply: z.array(LogEntry),
});

export const downloadLogs = endpoint({
  method: 'GET',
  path: '/logs/{executionId}/download',
  summary: 'Downloads the log of an execution as text',
  params: ById,
  query: Selection,
  replyKind: 'file',
});

/** Entries have no id, so the beginning of its message tells an entry from others of the same millisecond. */
export const getLogContext = endpoint({
  method: 'GET',
  path: '/logs/{executionId}/context',
  summary: 'Reads a log entry of an execution with the entries before and after it',
  params: ById,
  query: z.looseObject({
    timestamp: z.string(),
    message: z.string().optional(),
    lines: z.coerce.number().int().min(1).max(100).default(5),
  }),
  reply: z.object({
    entries: z.array(LogEntry),
    /** Where the entry itself is among them. */
    index: z.number().int(),
  }),
});

export const followLogs = endpoint({
  method: 'GET',
  path: '/logs/{executionId}/follow',
  summary: 'Streams the log entries of an execution as they come',
  params: ById,
  /**
   * With `batch` a frame holds a list of entries: reading thousands of frames a second is slow in a browser. With `packed`
   * it holds `PackedLogs`, a fifth of the bytes.
   */
  query: z.looseObject({ minLevel: LogLevel.optional(), batch: flag(false), packed: flag(false) }),
  replyKind: 'stream',
});

export const deleteLogs = endpoint({
  method: 'DELETE',
  path: '/logs/{executionId}',
  summary: 'Deletes the log entries of an execution that meet all selectors',
  params: ById,
  query: Selection,
  status: 200,
});

export const deleteFlowLogs = endpoint({
  method: 'DELETE',
  path: '/logs/{namespace}/{flowId}',
  summary: 'Deletes the log entries of a flow, or of one of its triggers',
  params: z.object({ namespace: z.string(), flowId: z.string() }),
  query: z.looseObject({ triggerId: z.string().optional() }),
  status: 200,
});
