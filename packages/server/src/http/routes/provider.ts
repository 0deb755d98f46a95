import { AppError, provider } from '@millrace/contract';
import { listIcons } from '@millrace/plugin-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  childrenOf,
  type DocPage,
  findPage,
  findPageOfScreen,
  normalizeDocPath,
} from '../../content/docs.ts';
import { searchDocs } from '../../content/searchDocs.ts';
import type { Product } from '../../product.ts';
import { sendDocResource } from '../docResource.ts';
import { mount } from '../mount.ts';

/** News, documentation and icons, from the server's own content: nothing leaves the machine. */
export function mountProvider(app: FastifyInstance, product: Product): void {
  const { content, catalogue, instanceId } = product;
  mount(app, provider.getFeeds, async () => ({
    feeds: (await content.posts()).map(({ href, ...post }) => ({
      ...post,
      ...(href === undefined ? {} : { href, link: href }),
    })),
    // The server does not check for newer versions.
    version: {},
  }));

  mount(app, provider.getProviderConfig, () => ({ id: instanceId }));
  mount(app, provider.reportEvent, async () => {});
  mount(app, provider.getProviderIcons, () => ({ ...listIcons(catalogue) }));

  const page = async (path: string, reply: FastifyReply): Promise<string> =>
    sendPage(findPage(await content.docs(), normalizeDocPath(path)), path, reply);
  const file = async (path: string) => (await content.docFiles()).get(path.replace(/^\/+/, ''));
  mount(app, provider.getDocPage, async ({ params, reply }) => {
    const found = await file(params.path);
    if (!found) return page(params.path, reply);
    // Shown inside a page; opened on its own, it may still run nothing.
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    await reply.type(found.type).send(await found.read());
    return '';
  });
  mount(app, provider.getDocHome, ({ reply }) => page('', reply));

  mount(app, provider.getDocOfScreen, async ({ params, reply }) =>
    sendPage(findPageOfScreen(await content.docs(), params.id), params.id, reply),
  );

  const children = async (path: string) => childrenOf(await content.docs(), normalizeDocPath(path));
  mount(app, provider.listDocChildren, ({ params }) => children(params.path));
  mount(app, provider.listDocs, () => children(''));

  mount(app, provider.getDocResource, async ({ params, reply }) =>
    sendDocResource(params.file, reply, product),
  );

  mount(app, provider.searchDocs, async ({ query }) =>
    searchDocs(await content.docs(), query.q ?? '').map((hit) => ({ ...hit })),
  );
}

function sendPage(page: DocPage | undefined, asked: string, reply: FastifyReply): string {
  if (!page) throw new AppError('not-found', `there is no page "${asked}"`);
  reply
    .type('text/markdown; charset=utf-8')
    .header(provider.docMetadataHeader, asciiJson({ ...page.metadata, path: page.path }));
  return page.content;
}

/** JSON with escaped non-ASCII characters, because headers allow only ASCII. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
