import { executions, flows, product, provider } from '@millrace/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { clampWidth, resizePanel } from './contextState.ts';

const posts: provider.Feed[] = [
  { id: 'old', title: 'Older', description: 'Nothing', publicationDate: '2026-01-01T00:00:00Z' },
  {
    id: 'new',
    title: 'Out now',
    image: 'data:image/svg+xml;base64,AAAA',
    description: 'It is **fast**',
    publicationDate: '2026-03-01T00:00:00Z',
    href: 'https://example.com/news',
  },
];

const server = (...more: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.searchFlows, () => ({ results: [], total: 0 })),
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    reply(provider.getFeeds, () => ({ feeds: posts, version: {} })),
    ...more,
  );

const bar = async () => within(await screen.findByRole('complementary', { name: 'Help and news' }));
const panel = (name: string) => screen.queryByRole('region', { name });

describe('context bar', () => {
  it('S1-2.4.1 is the rightmost column', async () => {
    server();
    renderAt('/flows');
    const aside = await screen.findByRole('complementary', { name: 'Help and news' });
    expect(aside.parentElement?.lastElementChild).toBe(aside);
  });

  it('S1-1.12 S1-2.4.2 S1-2.4.3 S1-4.11 opens one panel at a time and closes the open one', async () => {
    server();
    const { user } = renderAt('/flows');
    const buttons = await bar();
    await user.click(buttons.getByRole('button', { name: /News/ }));
    expect(panel('News')).toBeTruthy();
    await user.click(buttons.getByRole('button', { name: 'Docs' }));
    expect(panel('Docs')).toBeTruthy();
    expect(panel('News')).toBeNull();
    await user.click(buttons.getByRole('button', { name: 'Docs' }));
    expect(panel('Docs')).toBeNull();
  });

  it('S1-2.4.4 help, issue and demo open in a new tab', async () => {
    server();
    renderAt('/flows');
    const outside = (await bar()).getAllByRole('link');
    expect(outside.map((link) => link.textContent)).toEqual(['Help', 'Issue', 'Demo']);
    for (const link of outside) {
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('href')).toMatch(/^\/docs\//);
    }
  });

  it('S1-2.4.5 S1-3.4 tells the version, and its commit on hover', async () => {
    server(
      reply(product.getConfiguration, () =>
        aConfiguration({ commitId: 'abc1234', commitDate: new Date(Date.now() - 7_200_000).toISOString() }),
      ),
    );
    const { user } = renderAt('/flows');
    await user.hover((await bar()).getByText('0.1.0'));
    expect((await screen.findByRole('tooltip')).textContent).toBe('abc1234 · 2 hours ago');
  });

  it('S1-2.4.7 S1-5.1 S1-9.2 the panel is 640 px wide, follows the handle and keeps its limits', async () => {
    window.innerWidth = 1440;
    resizePanel(640);
    server();
    const { user } = renderAt('/flows');
    await user.click((await bar()).getByRole('button', { name: /News/ }));
    const frame = await screen.findByRole('region', { name: 'News' });
    expect(frame.style.width).toBe('640px');
    frame.getBoundingClientRect = () => new DOMRect(736, 0, 640, 900);
    const handle = within(frame).getByRole('separator');
    fireEvent.pointerDown(handle, { pointerId: 1 });
    fireEvent.pointerMove(handle, { clientX: 976 });
    expect(frame.style.width).toBe('400px');
    fireEvent.pointerMove(handle, { clientX: 1370 });
    expect(frame.style.width).toBe('50px');
    fireEvent.pointerMove(handle, { clientX: 10 });
    expect(frame.style.width).toBe('720px');
    fireEvent.pointerUp(handle);
    fireEvent.pointerMove(handle, { clientX: 976 });
    expect(frame.style.width).toBe('720px');
  });

  it.each([
    [640, 1440, 640],
    [900, 1440, 720],
    [10, 1440, 50],
    [640, 1000, 500],
  ])('S1-5.1 %d px in a window of %d px is %d px', (px, windowPx, expected) => {
    expect(clampWidth(px, windowPx)).toBe(expected);
  });
});

describe('news', () => {
  it('S1-2.4.8 S1-2.4.9 S1-2.4.10 S1-3.3 lists the posts, newest first', async () => {
    server();
    const { user } = renderAt('/flows');
    await user.click((await bar()).getByRole('button', { name: /News/ }));
    const [newest, older] = await screen.findAllByRole('article');
    if (!newest || !older) throw new Error('There must be two posts.');
    const post = within(newest);
    expect(post.getByRole('heading', { name: 'Out now' })).toBeTruthy();
    expect(newest.querySelector('img')?.src).toBe(posts[1]?.image);
    expect(post.getByText('March 1, 2026')).toBeTruthy();
    expect((await post.findByText('fast')).tagName).toBe('STRONG');
    const link = post.getByRole('link', { name: 'Read on' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([posts[1]?.href, '_blank']);
    expect(within(older).queryByRole('link', { name: 'Read on' })).toBeNull();
    await user.click(post.getByRole('button', { name: 'Show more' }));
    await user.click(post.getByRole('button', { name: 'Show less' }));
    expect(post.getByRole('button', { name: 'Show more' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('S1-2.4.11 S1-3.14 has a dot until the newest post has been seen', async () => {
    localStorage.setItem('feeds', '2026-02-01T00:00:00Z');
    server();
    const { user } = renderAt('/flows');
    await (await bar()).findByRole('img', { name: 'Unread news' });
    await user.click((await bar()).getByRole('button', { name: /News/ }));
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Unread news' })).toBeNull());
    expect(localStorage.getItem('feeds')).toBe('2026-03-01T00:00:00Z');
  });

  it('says so when there are none', async () => {
    server(reply(provider.getFeeds, () => ({ feeds: [], version: {} })));
    const { user } = renderAt('/flows');
    await user.click((await bar()).getByRole('button', { name: 'News' }));
    await screen.findByText('No news');
  });
});

describe('documentation id', () => {
  it('S1-2.4.25 S1-2.1.41 S1-9.1 is shown on demand and can be copied', async () => {
    server();
    const { user } = renderAt('/executions?showDocId');
    const box = (await screen.findByText('docId: executions')).parentElement;
    if (!box) throw new Error('The box must have an element.');
    await user.click(within(box).getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('executions');
  });

  it('a route may have its own', async () => {
    server();
    renderAt('/flows/new?showDocId');
    await screen.findByText('docId: flow-editor');
  });
});
