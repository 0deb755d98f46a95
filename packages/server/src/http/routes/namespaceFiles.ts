import { Readable } from 'node:stream';
import {
  AppError,
  type BlobStat,
  namespaceFiles as endpoints,
  type FileAttributes,
} from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { receiveNamespaceFile } from '../../actions/receiveNamespaceFile.ts';
import { sendZip } from '../../archives/sendZip.ts';
import { checkOrdinaryPath } from '../../files/flowFolder.ts';
import type { Product } from '../../product.ts';
import { sendAttachment } from '../attachment.ts';
import { mount } from '../mount.ts';
import { required } from '../required.ts';

export function mountNamespaceFiles(app: FastifyInstance, product: Product): void {
  const { namespaceFiles: files } = product;
  const ordinary = (path: string | undefined, name = 'path'): string =>
    checkOrdinaryPath(required(path, name));

  mount(app, endpoints.readNamespaceFile, async ({ params, query, reply }) => {
    const path = ordinary(query.path);
    const sizeBytes = await files.sizeOf(params.namespace, path);
    const content = Readable.from(await files.read(params.namespace, path), { objectMode: false });
    reply.header('cache-control', 'no-cache');
    sendAttachment(reply, nameOf(path), content, sizeBytes === undefined ? {} : { sizeBytes });
  });
  mount(app, endpoints.writeNamespaceFile, ({ params, query, request }) =>
    receiveNamespaceFile(request, params.namespace, required(query.path, 'path'), product),
  );
  mount(app, endpoints.moveNamespaceFile, ({ params, query }) =>
    files.move(params.namespace, ordinary(query.from, 'from'), ordinary(query.to, 'to')),
  );
  mount(app, endpoints.deleteNamespaceFile, async ({ params, query }) => {
    const path = ordinary(query.path);
    if (nameOf(path) === '') await files.deleteAll(params.namespace);
    else await files.delete(params.namespace, path);
  });
  mount(app, endpoints.listNamespaceFolder, async ({ params, query }) => {
    const entries = await files.listFolder(params.namespace, checkOrdinaryPath(query.path ?? '/'));
    return entries.map((entry) => present(nameOf(entry.key), entry));
  });
  mount(app, endpoints.createNamespaceFolder, ({ params, query }) =>
    files.makeFolder(params.namespace, ordinary(query.path)),
  );
  mount(app, endpoints.searchNamespaceFiles, async ({ params, query }) => {
    if (query.q === undefined) throw new AppError('bad-request', 'the parameter "q" is missing');
    const wanted = query.q.toLowerCase();
    const paths = (await files.list(params.namespace)).map((path) => `/${path}`);
    return paths.filter((path) => path.toLowerCase().includes(wanted));
  });
  mount(app, endpoints.getNamespaceFileStats, async ({ params, query }) => {
    const path = checkOrdinaryPath(query.path ?? '/');
    return present(nameOf(path), await files.stat(params.namespace, path));
  });
  // Only the current content is kept, so every file has exactly one revision.
  mount(app, endpoints.listNamespaceFileRevisions, async ({ params, query }) => {
    await files.stat(params.namespace, ordinary(query.path));
    return [{ revision: 1 }];
  });
  mount(app, endpoints.exportNamespaceFiles, async ({ params: { namespace }, query, reply }) => {
    const all = await files.list(namespace);
    const wanted = query.path?.map((path) => ordinary(path).replace(/^\/+|\/+$/g, ''));
    const paths = wanted ? all.filter((path) => wanted.some((one) => isIn(path, one))) : all;
    if (wanted && paths.length === 0)
      throw new AppError('not-found', `there is no file at "${wanted.join('", "')}" in "${namespace}"`);
    const filters = [{ field: 'namespace', operation: 'EQUALS', value: namespace }] as const;
    const { results: flows } = await product.store.listFlows({ page: 1, size: 10_000, filters });
    sendZip(reply, `${namespace}_files.zip`, [
      ...paths.map((path) => ({ path, content: () => files.read(namespace, path) })),
      ...(wanted ? [] : flows).map(({ id, source }) => ({ path: `_flows/${id}.yml`, content: source })),
    ]);
  });
}

/** Whether a path is a file itself or below a folder; an empty folder path is the root. */
const isIn = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

const nameOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

const present = (fileName: string, { kind, sizeBytes, createdAt, modifiedAt }: BlobStat): FileAttributes => ({
  fileName,
  type: kind === 'file' ? 'File' : 'Directory',
  size: sizeBytes,
  lastModifiedTime: modifiedAt,
  creationTime: createdAt,
});
