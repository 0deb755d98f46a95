import { type flowDrafts as contract, flowDrafts, flows } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aFlowWithSource } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const saved = aFlowWithSource();
const path = '/flows/edit/shop.orders/nightly';
const draft = (changes: Partial<contract.DraftRevision> = {}): contract.DraftRevision => ({
  id: 'd1',
  source: `${saved.source}# half`,
  revision: 1,
  author: 'ada',
  message: 'not complete',
  updated: '2026-01-01T00:00:00.000Z',
  ...changes,
});

function aServer(drafts: contract.DraftRevision[]) {
  return fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(flows.getFlow, () => saved),
    reply(flows.listRevisions, () => [saved]),
    reply(flows.updateFlow, ({ body }) => ({ ...saved, source: String(body), revision: 2 })),
    reply(flowDrafts.listDraftRevisions, () => drafts),
    reply(flowDrafts.saveDraftRevision, () => draft()),
    reply(flowDrafts.publishDraftRevision, () => ({ ...saved, revision: 2 })),
    reply(flowDrafts.deleteDraftRevision, () => undefined),
  );
}

it('a text is saved as a draft with an optional message, and the revision stays', async () => {
  const server = aServer([]);
  const { user } = renderAt(`${path}/edit`);
  await user.type(await screen.findByLabelText('source'), '# half');
  await user.click(screen.getByRole('button', { name: 'More options' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save as draft' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Draft of nightly saved');
  expect(JSON.parse(String(server.to(flowDrafts.saveDraftRevision)[0]?.body))).toEqual({
    source: `${saved.source}# half`,
    message: '',
  });
  expect(server.to(flows.updateFlow)).toEqual([]);
});

it('opening the flow offers the newest draft, and saving its text as a revision deletes the draft', async () => {
  const server = aServer([draft()]);
  const { user } = renderAt(`${path}/edit`);
  await screen.findByText('not complete');
  await user.click(screen.getByRole('button', { name: 'Open in editor' }));
  await waitFor(() => expect(screen.getByLabelText('source')).toHaveProperty('value', draft().source));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.to(flowDrafts.deleteDraftRevision)).toHaveLength(1));
  expect(server.to(flows.updateFlow)).toHaveLength(1);
});

it('the revisions list drafts with author and problem; a valid one can be published', async () => {
  const server = aServer([
    draft({ problem: 'tasks[1]: the type is missing' }),
    draft({ id: 'd2', message: 'done' }),
  ]);
  const { user } = renderAt(`${path}/revisions`);
  const list = within(await screen.findByRole('region', { name: 'Drafts' }));
  expect(list.getAllByText('by ada')).toHaveLength(2);
  list.getByText('tasks[1]: the type is missing');
  expect(list.getAllByRole('button', { name: 'Publish' })).toHaveLength(1);
  await user.click(list.getByRole('button', { name: 'Publish' }));
  await screen.findByText('Draft published as revision 2');
  expect(server.to(flowDrafts.publishDraftRevision)).toHaveLength(1);
});
