import { flowDrafts, flows } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aFlowWithSource } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const saved = aFlowWithSource();
const editPath = '/flows/edit/shop.orders/nightly/edit';
const server = (latest = saved, ...more: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(flows.createFlow, () => saved),
    reply(flows.getFlow, () => latest),
    reply(flows.updateFlow, ({ body }) => ({ ...saved, revision: 2, source: String(body) })),
    reply(flows.listRevisions, () => []),
    ...more,
  );
const editor = async () => (await screen.findByLabelText('source')) as HTMLTextAreaElement;
const drafts = () =>
  Object.entries(localStorage)
    .filter(([key]) => key.startsWith('draft:flow:'))
    .map(([, text]) => JSON.parse(String(text)) as { source: string; revision?: number });

async function leaveUnsaved(path: string, text: string) {
  const view = renderAt(path);
  await view.user.type(await editor(), text);
  await view.user.click(screen.getByRole('link', { name: 'Settings' }));
  await view.user.click(await screen.findByText('Leave'));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  view.unmount();
}

it('[S2-4f.1] a new flow that was left unsaved is offered when returning, and restored as it was', async () => {
  server();
  await leaveUnsaved('/flows/new', '# mine');
  const { user } = renderAt('/flows/new');
  expect((await editor()).value).not.toContain('# mine');
  await screen.findByText(/You left a new flow unsaved/);
  await user.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toContain('# mine');
  expect(screen.queryByText(/You left a new flow unsaved/)).toBeNull();
});

it('[S2-4f.1] a draft that is discarded does not come back, nor one of a flow that was saved', async () => {
  server();
  await leaveUnsaved('/flows/new', '# mine');
  const first = renderAt('/flows/new');
  await first.user.click(await screen.findByRole('button', { name: 'Discard' }));
  first.unmount();
  expect(drafts()).toEqual([]);
  const second = renderAt('/flows/new');
  await second.user.type(await editor(), '# again');
  await waitFor(() => expect(drafts()[0]?.source).toContain('# again'));
  expect(screen.queryByText(/You left a new flow unsaved/)).toBeNull();
  await second.user.click(screen.getByRole('button', { name: /Save/ }));
  // The page of the flow takes the text over.
  await screen.findByRole('button', { name: 'Execute' });
  await waitFor(() => expect(drafts()).toEqual([]));
});

it('a draft that earlier versions kept is offered too', async () => {
  server();
  localStorage.setItem(
    'draft:flow:',
    JSON.stringify({ source: 'id: older', at: '2026-01-01T00:00:00.000Z' }),
  );
  const { user } = renderAt('/flows/new');
  await user.type(await editor(), '# mine');
  await user.click(await screen.findByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toBe('id: older');
  // The text that was there is a draft now: neither is lost.
  await user.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toContain('# mine');
});

it('the draft of an existing flow is restored with a note, until it is saved', async () => {
  server();
  await leaveUnsaved(editPath, '# mine');
  expect(drafts()).toMatchObject([{ source: `${saved.source}# mine`, revision: 1 }]);
  const again = renderAt(editPath);
  expect((await editor()).value).toBe(`${saved.source}# mine`);
  await screen.findByText(/Your unsaved changes were restored/);
  await again.user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(drafts()).toEqual([]));
  expect(screen.queryByText(/Your unsaved changes were restored/)).toBeNull();
});

it('a draft of an older revision is restored, says so, and can be discarded for the latest one', async () => {
  server();
  await leaveUnsaved(editPath, '# mine');
  server({ ...saved, revision: 3, source: 'id: nightly # three' });
  const { user } = renderAt(editPath);
  expect((await editor()).value).toBe(`${saved.source}# mine`);
  await screen.findByText(/Revision 3 was saved meanwhile. You are editing revision 1/);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect((await editor()).value).toBe('id: nightly # three');
  await waitFor(() => expect(drafts()).toEqual([]));
});

it('a draft whose save was committed and only its response got lost is no draft any more', async () => {
  server();
  await leaveUnsaved(editPath, '# mine');
  server({ ...saved, revision: 2, source: `${saved.source}# mine` });
  renderAt(editPath);
  expect((await editor()).value).toBe(`${saved.source}# mine`);
  expect(screen.queryByText(/Your unsaved changes were restored/)).toBeNull();
  await waitFor(() => expect(drafts()).toEqual([]));
});

it('drafts of two tabs are both kept, and change places', async () => {
  server();
  const key = (name: string) => `draft:flow::shop.orders/nightly:${name}`;
  const put = (name: string, source: string, at: string) =>
    localStorage.setItem(key(name), JSON.stringify({ source, at, revision: 1 }));
  put('a', 'id: nightly # first', '2026-01-01T00:00:00.000Z');
  put('b', 'id: nightly # second', '2026-01-02T00:00:00.000Z');
  const { user } = renderAt(editPath);
  expect((await editor()).value).toBe('id: nightly # second');
  await user.click(await screen.findByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toBe('id: nightly # first');
  expect(
    drafts()
      .map(({ source }) => source)
      .sort(),
  ).toEqual(['id: nightly # first', 'id: nightly # second']);
});

it('the draft of a user is kept on the server; that of another browser is offered before it would be overwritten', async () => {
  const updated = '2026-05-04T10:00:00.000Z';
  let stored: flowDrafts.FlowDraft | undefined;
  server(
    saved,
    reply(flowDrafts.getFlowDraft, () => ({ isKept: true, ...(stored && { draft: stored }) })),
    reply(flowDrafts.putFlowDraft, ({ body }) => {
      const { source, replaces } = JSON.parse(String(body)) as { source: string; replaces: string };
      if (stored && stored.updated !== replaces) return failure(409, { message: 'another draft' });
      stored = { source, revision: 1, updated: new Date().toISOString() };
      return { ...stored, flowRevision: 1 };
    }),
  );
  const { user } = renderAt(editPath);
  await user.type(await editor(), '# one');
  await screen.findByText('Draft saved', {}, { timeout: 5000 });
  expect(stored?.source).toContain('# one');

  // Another browser of the same user keeps another text.
  stored = { source: `${saved.source}# elsewhere`, revision: 1, updated };
  await user.type(await editor(), ' two');
  await screen.findByText('Conflict', {}, { timeout: 5000 });
  await screen.findByText(/Unsaved changes of yours are on the server/);
  expect(stored.source).toContain('# elsewhere');
  await user.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toContain('# elsewhere');
});
