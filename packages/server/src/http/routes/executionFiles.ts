import { Readable } from 'node:stream';
import { AppError, executionFiles } from '@millrace/contract';
import { fromBlobUri } from '@millrace/store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findExecutionRecord } from '../../actions/findExecution.ts';
import { ownerOf } from '../../files/fileOwner.ts';
import { previewFile } from '../../files/preview.ts';
import type { Product } from '../../product.ts';
import { sendAttachment } from '../attachment.ts';
import { mount } from '../mount.ts';
import { required } from '../required.ts';

interface FileCall {
  readonly params: { readonly executionId: string };
  readonly query: { readonly path?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface FoundFile {
  readonly uri: string;
  readonly fileName: string;
  readonly sizeBytes: number;
}

export function mountExecutionFiles(app: FastifyInstance, product: Product): void {
  const { files, config } = product;

  mount(app, executionFiles.downloadExecutionFile, async (call) => {
    const found = await findFile(call, product);
    if (!found) return;
    const content = Readable.from(await files.read(found.uri), { objectMode: false });
    sendAttachment(call.reply, found.fileName, content, { sizeBytes: found.sizeBytes });
  });

  mount(app, executionFiles.getExecutionFileMetas, async (call) => ({
    size: (await findFile(call, product))?.sizeBytes ?? 0,
  }));

  mount(app, executionFiles.previewExecutionFile, async (call) => {
    const { maxRows = config.preview.initialRows, encoding = 'UTF-8' } = call.query;
    const found = await findFile(call, product);
    const { uri, fileName, sizeBytes } = found ?? { uri: '', fileName: '', sizeBytes: 0 };
    return previewFile({
      fileName,
      sizeBytes,
      encoding,
      host: product.host({ namespace: '' }),
      maxRows: Math.min(maxRows, config.preview.maxRows),
      read: async (bytes) => (found ? files.read(uri, { start: 0, end: bytes - 1 }) : Readable.from([])),
    });
  });
}

/** The file, if it belongs to this execution; redirects to the other execution otherwise. */
async function findFile(
  { params, query, request, reply }: FileCall,
  product: Product,
): Promise<FoundFile | undefined> {
  const uri = required(query.path, 'path');
  const key = fromBlobUri(uri);
  const execution = await findExecutionRecord(product, params.executionId);
  const owner = ownerOf(key, execution);
  if (owner === undefined)
    throw new AppError('illegal-argument', `"${uri}" is not a file of the execution "${execution.id}"`);
  if (owner !== execution.id) {
    const [here, there] = [execution.id, owner].map((id) => `/executions/${encodeURIComponent(id)}/`);
    void reply.redirect(request.originalUrl.replace(here ?? '', there ?? ''), 302);
    return undefined;
  }
  const sizeBytes = await product.files.sizeOf(uri);
  if (sizeBytes === undefined) throw new AppError('not-found', `there is no file "${uri}"`);
  return { uri, fileName: key.slice(key.lastIndexOf('/') + 1), sizeBytes };
}
