import { executions, flows, provider } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { readDocLink } from './DocBody.tsx';

const tree: Record<string, provider.DocMetadata> = {
  'get-started': { title: 'Start here', isIndex: true },
  'get-started/install': { title: 'Install' },
  'get-started/secret-page': { title: 'Hidden', hideSidebar: true },
  build: { title: 'Build things', isIndex: true },
  'build/flows': { title: 'Flows', description: 'What a flow is' },
  'build/control': { title: 'Control', isIndex: true },
  'build/control/loops': { title: 'Loops' },
  scale: { title: 'Grow', isIndex: true },
  'scale/v9': { title: 'Nine', release: '0.9.0' },
  'scale/v10': { title: 'Ten', release: '0.10.0' },
  manage: { title: 'Keep it running', isIndex: true },
};

const asPage = (metadata: object, content: string) =>
  new Response(content, {
    headers: { 'content-type': 'text/markdown', [provider.docMetadataHeader]: JSON.stringify(metadata) },
  });

const below = (path: string) =>
  Object.fromEntries(Object.entries(tree).filter(([key]) => path === '' || key.startsWith(`${path}/`)));

/** A documentation whose pages are given by path. */
function docsServer(pages: Record<string, string>) {
  const page = (path: string) => {
    const content = pages[path];
    if (content === undefined) return failure(404, { message: `Not Found: there is no page "${path}"` });
    return asPage({ ...(tree[path] ?? { title: 'Documentation', isIndex: true }), path }, content);
  };
  return fakeServer(
    reply(flows.searchFlows, () => ({ results: [], total: 0 })),
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    reply(provider.getDocPage, ({ params }) => page(params.path ?? '')),
    reply(provider.getDocHome, () => page('')),
    reply(provider.getDocOfScreen, ({ params }) => page(params.id === 'flows' ? 'build/flows' : '?')),
    reply(provider.listDocs, () => tree),
    reply(provider.listDocChildren, ({ params }) => below(params.path ?? '')),
    reply(provider.searchDocs, () => [
      {
        parsedUrl: 'build/control/loops',
        title: 'Loops',
        description: '',
        excerpt: 'Do [it](./it.md) `again`',
      },
    ]),
  );
}

const contents = async () => within(await screen.findByRole('navigation', { name: 'Contents' }));

describe('documentation viewer', () => {
  it('S1-2.1.27 S1-2.1.37 S1-2.4.14 S1-7.7 shows a page beside the menu, without the context bar', async () => {
    const server = docsServer({ 'build/flows': 'A flow has **tasks**.\n\n## Their order\n\nTop to bottom.' });
    renderAt('/docs/build/flows');
    expect((await screen.findByText('tasks')).tagName).toBe('STRONG');
    expect(screen.getByRole('heading', { level: 1, name: 'Flows' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 2, name: 'Their order' }).id).toBe('their-order');
    expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeTruthy();
    expect(screen.queryByRole('complementary', { name: 'Help and news' })).toBeNull();
    expect(server.to(provider.getDocPage)).toHaveLength(1);
    expect(server.to(provider.listDocs)).toHaveLength(1);
  });

  it('S1-2.4.12 S1-2.4.13 S1-3.6 has four sections whose pages unfold, without the hidden ones', async () => {
    docsServer({ 'build/flows': 'Text' });
    const { user } = renderAt('/docs/build/flows');
    const menu = await contents();
    expect(menu.getAllByRole('heading', { level: 3 }).map((one) => one.textContent)).toEqual([
      'Get started',
      'Build',
      'Scale',
      'Manage',
    ]);
    expect(menu.queryByText('Hidden')).toBeNull();
    expect(menu.queryByRole('link', { name: 'Loops' })).toBeNull();
    await user.click(menu.getByRole('button', { name: 'Pages below Control' }));
    expect(menu.getByRole('link', { name: 'Loops' }).getAttribute('href')).toBe('/docs/build/control/loops');
  });

  it('S1-2.1.53 S1-2.4.16 a link to another page keeps to the viewer, a link outside opens beside it', async () => {
    docsServer({
      'build/flows': 'See [loops](./control/02.loops.md#while) or [more](https://example.com).',
      'build/control/loops': 'Again and again',
    });
    const { user, href } = renderAt('/main/docs/build/flows');
    const outside = await screen.findByRole('link', { name: 'more' });
    expect(outside.getAttribute('target')).toBe('_blank');
    expect(outside.getAttribute('rel')).toContain('noopener');
    await user.click(screen.getByRole('link', { name: 'loops' }));
    await screen.findByText('Again and again');
    expect(href()).toBe('/main/docs/build/control/loops#while');
  });

  it('S1-2.4.17 S1-1.14 embeds a card for each page below', async () => {
    docsServer({ build: '::child-card{}' });
    renderAt('/docs/build');
    const card = (await screen.findByText('What a flow is')).closest('a');
    expect(card?.getAttribute('href')).toBe('/docs/build/flows');
    expect(card?.querySelector('svg')).toBeTruthy();
  });

  it('S1-2.4.18 embeds the contents below, as deep as it is asked to', async () => {
    docsServer({ build: '::child-toc{}\n\n---\n\n::child-toc{max="1"}' });
    renderAt('/docs/build');
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Control' })).toHaveLength(3));
    const article = within(screen.getByRole('article'));
    expect(article.getAllByRole('link', { name: 'Loops' })).toHaveLength(1);
  });

  it('S1-2.4.19 embeds the releases, newest first', async () => {
    docsServer({ scale: '::release-list{}' });
    renderAt('/docs/scale');
    const article = within(await screen.findByRole('article'));
    await article.findByText('0.10.0');
    const items = article.getAllByRole('listitem').map((one) => one.textContent);
    expect(items).toEqual(['0.10.0Ten', '0.9.0Nine']);
  });

  it('S1-2.4.20 S1-7.11 S2-2.26 embeds the logos and their download, by the version of the server', async () => {
    docsServer({ manage: '::logo-pack{}' });
    renderAt('/docs/manage');
    const download = await screen.findByRole('link', { name: 'Download all logos' });
    expect(download.getAttribute('href')).toBe('/v1/resources/millrace-logos.zip/versions/0.1.0');
    expect(download.getAttribute('download')).toBe('millrace-logos.zip');
  });

  it('S1-2.4.23 S1-9.1 copies a block of code and says so for two seconds', async () => {
    docsServer({ build: '```yaml\nid: hello\n```' });
    const { user } = renderAt('/docs/build');
    const article = within(await screen.findByRole('article'));
    await user.click(await article.findByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('id: hello');
    await article.findByRole('button', { name: 'Copied' });
    await waitFor(() => article.getByRole('button', { name: 'Copy' }), { timeout: 60_000 });
  });

  it('[A26] [A27] shows what looks like a widget as the text it is, and HTML and scripts not at all', async () => {
    docsServer({
      build: 'At 12:30 :unknown. <img src=x onerror=alert(1)> [bad](javascript:alert(1))\n\n::unknown{}',
    });
    renderAt('/docs/build');
    expect((await screen.findByText(/At 12/)).textContent).toContain('At 12:30 :unknown.');
    expect(screen.getByRole('article').querySelector('img, [onerror]')).toBeNull();
    expect(screen.getByText('bad').getAttribute('href')).not.toContain('javascript');
  });

  it('S1-8.14 a page that is not there is a wrong address', async () => {
    docsServer({});
    renderAt('/docs/nowhere');
    await screen.findByText('The requested URL was not found on this server.');
  });

  it('S1-8.6 a page that the server could not answer offers another try', async () => {
    let isBroken = true;
    fakeServer(
      reply(provider.listDocs, () => tree),
      reply(provider.getDocPage, () =>
        isBroken
          ? failure(500, { message: 'Internal Server Error: no disk' })
          : asPage(tree.build ?? {}, 'Words'),
      ),
    );
    const { user } = renderAt('/docs/build');
    await screen.findByText(/no disk/);
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Words');
  });

  it('searches, and shows the hits instead of the contents', async () => {
    docsServer({ build: 'Text' });
    const { user } = renderAt('/docs/build');
    await user.type(await screen.findByRole('searchbox', { name: 'Search the documentation' }), 'again');
    const hit = within(await screen.findByRole('list', { name: 'Pages found' })).getByRole('link');
    expect(hit.getAttribute('href')).toBe('/docs/build/control/loops');
    expect(hit.textContent).toBe('LoopsDo it again');
    expect(screen.queryByRole('navigation', { name: 'Contents' })).toBeNull();
  });
});

describe('API viewer', () => {
  const spec = {
    info: { title: 'Millrace' },
    paths: {
      '/api/v1/flows/search': {
        get: {
          summary: 'Searches flows',
          tags: ['flows'],
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  };

  it.each(['oss', 'enterprise'])(
    'S1-2.4.21 S1-2.4.22 lists the operations of the %s edition to read only',
    async (edition) => {
      docsServer({ manage: `::swagger{spec="${edition}"}` });
      const real = globalThis.fetch;
      const asked: string[] = [];
      vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
        if (!url.includes('/resources/')) return real(url, init);
        asked.push(url);
        return Promise.resolve(Response.json(spec));
      });
      const { user } = renderAt('/docs/manage');
      await user.click(await screen.findByText('flows (1)'));
      await user.click(screen.getByText('/api/v1/flows/search'));
      expect(asked).toEqual([`/v1/resources/${edition}.json/versions/0.1.0`]);
      const viewer = within(await screen.findByRole('region', { name: 'Millrace' }));
      expect(await viewer.findByText('q')).toBeTruthy();
      for (const role of ['textbox', 'combobox', 'button']) expect(viewer.queryAllByRole(role)).toEqual([]);
    },
  );
});

describe('documentation panel', () => {
  const open = async (url: string, pages: Record<string, string>) => {
    const server = docsServer(pages);
    const view = renderAt(url);
    await view.user.click(await screen.findByRole('button', { name: 'Docs' }));
    return { ...view, server, panel: within(await screen.findByRole('region', { name: 'Docs' })) };
  };

  it('S1-2.1.41 S1-7.7 opens the page about the screen', async () => {
    const { panel, server } = await open('/flows', { 'build/flows': 'About flows' });
    await panel.findByText('About flows');
    expect(server.to(provider.getDocOfScreen)[0]?.params).toMatchObject({ id: 'flows', version: '0.1.0' });
    expect(panel.getByRole('link', { name: 'Open as a page' }).getAttribute('href')).toBe(
      '/docs/build/flows',
    );
  });

  it('opens the first page when the screen has none', async () => {
    const { panel } = await open('/executions', { '': 'Welcome' });
    await panel.findByText('Welcome');
  });

  it('S1-2.4.15 a link changes the panel and not the address, and there is a way back', async () => {
    const { panel, user, href } = await open('/flows', {
      'build/flows': 'See [loops](control/loops.md)',
      'build/control/loops': 'Again and again',
    });
    await user.click(await panel.findByRole('link', { name: 'loops' }));
    await panel.findByText('Again and again');
    expect(panel.getByRole('heading', { level: 2, name: 'Loops' })).toBeTruthy();
    expect(href()).toBe('/flows');
    await user.click(panel.getByRole('button', { name: 'Back to the previous page' }));
    await panel.findByRole('link', { name: 'loops' });
  });

  it('S1-2.4.12 its menu loads when it is opened', async () => {
    const { panel, user, server } = await open('/flows', { 'build/flows': 'About flows' });
    await panel.findByText('About flows');
    expect(server.to(provider.listDocs)).toHaveLength(0);
    await user.click(panel.getByRole('button', { name: 'Contents' }));
    await panel.findByRole('link', { name: 'Install' });
    expect(server.to(provider.listDocs)).toHaveLength(1);
  });

  it('S1-2.4.26 draws the first 50 lines, then the rest', async () => {
    vi.spyOn(globalThis, 'setTimeout');
    const lines = Array.from({ length: 120 }, (_, index) => `Line ${index + 1}  `).join('\n');
    const { panel } = await open('/flows', { 'build/flows': lines });
    await panel.findByText(/Line 50/);
    expect(vi.mocked(setTimeout).mock.calls.some(([, delay]) => delay === 50)).toBe(true);
    await panel.findByText(/Line 120/);
  });
});

describe('links between pages', () => {
  it.each([
    ['./install.md', 'get-started/tutorial', false, 'get-started/install'],
    ['../build/01.flows.md', 'get-started', true, 'build/flows'],
    ['control/index.md', 'build', true, 'build/control'],
    ['flows', 'build/inputs', false, 'build/flows'],
    ['../../..', 'a/b', false, ''],
  ])('%s on %s leads to %4$s', (href, path, isIndex, target) => {
    expect(readDocLink(href, { path, isIndex })).toMatchObject({ kind: 'page', path: target });
  });

  it.each(['/flows', 'https://example.com', 'mailto:a@b.c'])('%s leads out', (href) => {
    expect(readDocLink(href, { path: 'a', isIndex: true })).toEqual({ kind: 'outside', href });
  });
});
