import { bulkExecutions, executions, flows } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anExecution } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const states = ['RUNNING', 'PAUSED', 'FAILED', 'SUCCESS', 'FAILED', 'QUEUED', 'CREATED'] as const;
const rows = states.map((state, index) => anExecution({ id: `${state.toLowerCase()}-${index}`, state }));

/** A list of which one page is shown: 400 match, and 12 of them failed. */
const openList = async (url: string) => {
  const server = fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, ({ query }) => ({
      results: rows.slice(2, 4),
      total: query.get('filters[state][IN]') === 'FAILED' ? 12 : 400,
    })),
    reply(bulkExecutions.restart.byQuery, () => ({ count: 12, totalItems: 12 })),
  );
  return { server, ...renderAt(url) };
};

/** The dialog of an action on all rows of the list. */
const chooseForAll = async (name: string, ...routes: Parameters<typeof fakeServer>) => {
  const server = fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, () => ({ results: rows, total: rows.length })),
    ...routes,
  );
  const { user } = renderAt('/executions');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  const toolbar = within(screen.getByRole('toolbar'));
  await toolbar.findByRole('button', { name: 'Delete' });
  const button = toolbar.queryByRole('button', { name });
  if (!button) await user.click(toolbar.getByRole('button', { name: 'More actions' }));
  await user.click(button ?? (await screen.findByRole('menuitem', { name })));
  return { server, user, dialog: within(await screen.findByRole('dialog')) };
};

it.each([
  ['S2-7e.2', 'Restart', bulkExecutions.restart.byIds, ['failed-2', 'failed-4']],
  ['S2-7e.5', 'Replay', bulkExecutions.replay.byIds, ['failed-2', 'success-3', 'failed-4']],
  ['S2-7e.3', 'Resume', bulkExecutions.resume.byIds, ['paused-1']],
  ['S2-7e.4', 'Pause', bulkExecutions.pause.byIds, ['running-0']],
  ['S2-7e.14', 'Kill', bulkExecutions.kill.byIds, ['running-0', 'paused-1', 'queued-5', 'created-6']],
  ['S2-7e.7', 'Unqueue', bulkExecutions.unqueue.byIds, ['queued-5']],
  ['S2-7e.8', 'Force run', bulkExecutions.forceRun.byIds, ['running-0', 'paused-1', 'queued-5', 'created-6']],
] as const)(
  'S2-4.13 S2-8.17 %s %s goes in one call to those whose state allows it, also after a failure',
  async (_, name, endpoint, ids) => {
    let fails = true;
    const { server, user, dialog } = await chooseForAll(name, {
      endpoint,
      reply: () =>
        fails
          ? failure(400, { message: 'invalid bulk', invalids: [] })
          : { count: ids.length, totalItems: ids.length },
    });
    dialog.getByText(/other selected executions/);
    await user.click(dialog.getByRole('button', { name }));
    await dialog.findByText(`Could not ${name.toLowerCase()} executions`);
    fails = false;
    await user.click(dialog.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
    expect(server.to(endpoint).map(({ body }) => JSON.parse(String(body)))).toEqual([ids, ids]);
  },
);

it('S2-4.13 S2-7e.2 restarts everything that matches by the query, and only what can be restarted', async () => {
  const { server, user } = await openList('/executions?namespace=shop&state=FAILED&state=KILLED');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  const toolbar = within(screen.getByRole('toolbar'));
  await user.click(toolbar.getByRole('button', { name: 'Select all 400 matches' }));
  await user.click(await toolbar.findByRole('button', { name: 'Restart' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Restart 12 executions?' }));
  await user.click(dialog.getByRole('button', { name: 'Restart' }));
  await screen.findByText('12 executions restarted');
  const [request] = server.to(bulkExecutions.restart.byQuery);
  expect(Object.fromEntries(request?.query ?? [])).toEqual({
    namespace: 'shop',
    timeRange: 'P30D',
    'filters[state][IN]': 'FAILED',
  });
});

it('S2-7e.21 S2-4.13 S2-4.21 S2-8.17 deletes the ended ones, and the others only when asked to, after a warning', async () => {
  const endpoint = bulkExecutions.remove.byIds;
  let fails = true;
  const { server, user, dialog } = await chooseForAll(
    'Delete',
    reply(endpoint, () =>
      fails ? failure(400, { message: 'invalid bulk', invalids: [] }) : { count: 7, totalItems: 7 },
    ),
  );
  expect(dialog.queryByRole('alert')).toBeNull();
  await user.click(dialog.getByLabelText('Include those that have not ended'));
  expect(dialog.getByRole('alert').textContent).toMatch(/concurrency/);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await dialog.findByText('Could not delete executions');
  fails = false;
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByText('7 executions deleted');
  const [request] = server.to(endpoint);
  expect(JSON.parse(String(request?.body))).toEqual(rows.map(({ id }) => id));
  expect(request?.query.get('includeNonTerminated')).toBe('true');
});

it('S2-8.16 S2-8.17 says what did not work and names the executions because of which nothing was done', async () => {
  const invalids = [
    { message: 'execution not in state FAILED', invalidValue: 'one' },
    { message: 'execution not in state PAUSED', invalidValue: 'two' },
    { message: 'execution already finished', invalidValue: 'three' },
    { message: 'execution not found', invalidValue: 'four' },
    { message: 'something new', invalidValue: 'five' },
  ];
  const { user, dialog } = await chooseForAll(
    'Restart',
    reply(bulkExecutions.restart.byIds, () => failure(400, { message: 'invalid bulk restart', invalids })),
  );
  await user.click(dialog.getByRole('button', { name: 'Restart' }));
  await dialog.findByText('Could not restart executions');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Execution one not in state FAILED',
    'Execution two not in state PAUSED',
    'Execution three already finished',
    'Execution four not found',
    'five something new',
  ]);
});
