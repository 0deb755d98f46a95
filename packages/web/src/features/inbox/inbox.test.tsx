import { flows, type Inbox, type InboxItem, inbox } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The first test must not wait for the compilation of the page.
beforeAll(() => import('./InboxPage.tsx'), 60_000);

const at = '2026-01-01T10:00:00.000Z';
const flow = { namespace: 'company.team', flowId: 'load' };
const items: InboxItem[] = [
  { ...flow, kind: 'approval', key: 'a', at, executionId: 'e1', taskId: 'ask', inputs: ['reason'] },
  { ...flow, kind: 'late', key: 'l', at, triggerId: 'hourly' },
  { ...flow, kind: 'missed', key: 'm', at, triggerId: 'nightly', firstAt: at },
  { ...flow, kind: 'long', key: 'g', at, executionId: 'execution2', usualMs: 60_000 },
  { ...flow, kind: 'queue', key: 'q', at, count: 7 },
  { kind: 'token', key: 't', at, name: 'ci', expiresAt: '2001-01-01T00:00:00.000Z' },
  { kind: 'secret', key: 's', at, name: 'DB_PASSWORD', expiresAt: '2999-01-01T00:00:00.000Z' },
];
const failure: Inbox['failures'][number] = {
  ...flow,
  key: 'f',
  at,
  groupId: 'g1',
  taskId: 'read',
  message: 'Row 7 is empty',
  firstAt: at,
  count: 1_200,
  trend: [0, 3, 2],
  executionId: 'e9',
};

it('O-7.1 O-7.2 O-7.3 O-7.4 O-7.5 O-7.6 each kind of item has its section, says what is wrong and leads to where it is solved', async () => {
  fakeServer(
    reply(flows.listNamespaces, () => ['company.team']),
    reply(inbox.readInbox, () => ({ failures: [failure], items, open: 8, hidden: 0 })),
  );
  renderAt('/inbox');
  for (const [section, text, address] of [
    ['Waiting for your decision', 'Paused at ask. Asks for: reason.', 'executions/company.team/load/e1'],
    ['Failures', 'Row 7 is empty', 'executions/company.team/load/e9/logs'],
    ['Late schedules', 'hourly should have started an execution.', 'admin/triggers?'],
    ['Missed schedules', /nightly skipped its dates since/, 'admin/triggers?'],
    ['Running longer than usual', /usually takes 1 m/, 'executions/company.team/load/execution2'],
    ['Queues under pressure', 'Executions that wait for a slot: 7', 'executions?'],
    ['Expiring API tokens', /^Expired on .*2001/, 'settings'],
    ['Expiring secrets', /^Expires on .*2999/, 'secrets'],
  ] as const) {
    const region = within(await screen.findByRole('region', { name: section }));
    region.getByText(text);
    const ways = region.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(ways.some((way) => way?.includes(address))).toBe(true);
    region.getByRole('button', { name: /^Acknowledge: / });
  }
});

it('O-7.7 a note and a mute are sent with the key of their item', async () => {
  const { to } = fakeServer(
    reply(flows.listNamespaces, () => ['company.team']),
    reply(inbox.readInbox, () => ({ failures: [failure], items: [], open: 1, hidden: 0 })),
    reply(inbox.markItem, () => ({})),
  );
  const { user } = renderAt('/inbox');
  const bodies = () =>
    to(inbox.markItem).map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>);
  const open = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: /^More actions for load/ }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await open('Mute for a day');
  await waitFor(() => expect(bodies()).toHaveLength(1));
  expect(Date.parse(String(bodies()[0]?.mutedUntil)) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await open('Add a note');
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox'), 'Ticket 42');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies()[1]).toEqual({ key: 'f', note: 'Ticket 42' }));
});
