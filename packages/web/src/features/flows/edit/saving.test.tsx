import { executions, flows } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aFlowWithSource, anExecution } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const saved = aFlowWithSource();
const path = '/flows/edit/shop.orders/nightly/edit';

/** A server that stores revisions as the real one does; `isLost` says whether a response reaches the browser. */
function aServer(isLost: (attempt: number) => boolean = () => false, released = Promise.resolve()) {
  const revisions = [{ ...saved }];
  const latest = () => revisions.at(-1) ?? saved;
  let attempts = 0;
  const server = fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(flows.getFlow, () => latest()),
    reply(flows.listRevisions, () => revisions),
    reply(flows.updateFlow, async ({ body, query }) => {
      await released;
      const source = String(body);
      const base = Number(query.get('baseRevision'));
      if (latest().revision === base) revisions.push({ ...saved, source, revision: base + 1 });
      attempts += 1;
      if (isLost(attempts)) throw new TypeError('Failed to fetch');
      return revisions.findLast((one) => one.source === source) ?? saved;
    }),
    reply(executions.validateInputs, () => ({
      id: 'nightly',
      namespace: 'shop.orders',
      inputs: [],
      checks: [],
    })),
    reply(executions.triggerExecution, () => anExecution()),
  );
  return { server, revisions };
}
const type = async (user: ReturnType<typeof renderAt>['user'], text: string) =>
  user.type(await screen.findByLabelText('source'), text);

it('a save without a response says so, is repeated, and makes one revision', async () => {
  const { server, revisions } = aServer((attempt) => attempt === 1);
  const { user } = renderAt(path);
  await type(user, '# one');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText("Not saved: the server can't be reached.");
  // Typing continues meanwhile, and is not part of the save that is repeated.
  await type(user, '# two');
  await user.click(screen.getByRole('button', { name: 'Try now' }));
  await screen.findByText('Saved nightly, revision 2');
  expect(revisions.map(({ source }) => source)).toEqual([saved.source, `${saved.source}# one`]);
  expect(server.to(flows.updateFlow).map(({ query }) => query.get('baseRevision'))).toEqual(['1', '1']);
  expect(screen.getByLabelText('source')).toHaveProperty('value', `${saved.source}# one# two`);
  expect(screen.queryByText("Not saved: the server can't be reached.")).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(revisions).toHaveLength(3));
});

it('a save is repeated as soon as the browser is online again, and stops when told to', async () => {
  const { server, revisions } = aServer((attempt) => attempt < 3);
  const { user } = renderAt(path);
  await type(user, '# one');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Next attempt in/);
  await user.click(screen.getByRole('button', { name: 'Stop trying' }));
  await waitFor(() => expect(screen.queryByText(/Next attempt in/)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Next attempt in/);
  window.dispatchEvent(new Event('online'));
  await screen.findByText('Saved nightly, revision 2');
  expect([server.to(flows.updateFlow).length, revisions.length]).toEqual([3, 2]);
});

it('a save that is asked for while another one runs saves what was typed since', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { revisions } = aServer(undefined, released);
  const { user } = renderAt(path);
  await type(user, '# one');
  await user.keyboard('{Control>}s{/Control}');
  await type(user, '# two');
  await user.keyboard('{Control>}s{/Control}');
  release();
  await waitFor(() => expect(revisions.at(-1)?.source).toBe(`${saved.source}# one# two`));
});

it('executing with unsaved changes offers to save them first', async () => {
  const { server, revisions } = aServer();
  const { user } = renderAt(path);
  await type(user, '# one');
  await user.click(screen.getByRole('button', { name: 'Execute' }));
  await screen.findByText('nightly has unsaved changes. The latest saved revision is 1.');
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Save and execute' }));
  await user.click(await dialog.findByRole('button', { name: 'Execute' }));
  await waitFor(() => expect(server.to(executions.triggerExecution)).toHaveLength(1));
  expect(revisions).toHaveLength(2);
});

it('executing with unsaved changes can run the saved revision, and says so', async () => {
  const { server, revisions } = aServer();
  const { user } = renderAt(path);
  await type(user, '# one');
  await user.click(screen.getByRole('button', { name: 'Execute' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Execute revision 1' }));
  await dialog.findByText('This executes revision 1. Your unsaved changes are not part of it.');
  await user.click(dialog.getByRole('button', { name: 'Execute' }));
  await waitFor(() =>
    expect(server.to(executions.triggerExecution).map(({ query }) => query.get('revision'))).toEqual(['1']),
  );
  expect(revisions).toHaveLength(1);
});
