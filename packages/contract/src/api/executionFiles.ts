import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FileMetas, FilePreview } from '../file.ts';

const ById = z.object({ executionId: z.string() });

/** `path` is the file's URI in internal storage. The server redirects to a file of another execution. */
export const downloadExecutionFile = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/file',
  summary: 'Downloads a file of an execution',
  params: ById,
  query: z.looseObject({ path: z.string().optional() }),
  replyKind: 'file',
});

export const getExecutionFileMetas = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/file/metas',
  summary: 'Tells the size of a file of an execution',
  params: ById,
  query: z.looseObject({ path: z.string().optional() }),
  reply: FileMetas,
});

export const previewExecutionFile = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/file/preview',
  summary: 'Shows the beginning of a file of an execution',
  params: ById,
  query: z.looseObject({
    path: z.string().optional(),
    maxRows: z.coerce.number().int().min(1).optional(),
    encoding: z.string().optional(),
  }),
  reply: FilePreview,
});
