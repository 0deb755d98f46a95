import { bulkExecutions, executions, flows, type Job, jobs } from '@millrace/contract';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anExecution } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// A whole list page takes its time to load on a busy machine.
configure({ asyncUtilTimeout: 40_000 });

const started: Job = {
  id: 'j1',
  state: 'RUNNING',
  startedAt: '2026-03-01T02:00:00Z',
  updatedAt: '2026-03-01T02:00:01Z',
  done: 1_200,
  total: 5_000,
};
const accepted = () =>
  new Response(JSON.stringify(started), {
    status: 202,
    headers: { 'content-type': 'application/json', 'preference-applied': 'respond-async' },
  });

function aServer(job: () => Job | Response) {
  return fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, () => ({ results: [anExecution({ state: 'FAILED' })], total: 1 })),
    reply(bulkExecutions.restart.byIds, () => accepted()),
    reply(jobs.getJob, () => job()),
  );
}

async function restartAll() {
  const view = renderAt('/executions');
  await view.user.click(await screen.findByLabelText(/Select exec1/));
  await view.user.click(await screen.findByRole('button', { name: 'Restart' }));
  await view.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart' }));
  return view;
}

it.each([
  [
    'says why it was refused',
    {
      ...started,
      state: 'ENDED',
      response: {
        status: 400,
        body: {
          message: 'invalid bulk restart',
          invalids: [{ message: 'execution not found', invalidValue: 'x1' }],
        },
      },
    },
    /x1/,
  ],
  [
    'says how much is done when its server stopped',
    { ...started, state: 'INTERRUPTED' },
    'The server stopped: 1,200 of 5,000 are done, the other 3,800 were not changed.',
  ],
  [
    'says how much is done at least when its server crashed',
    { ...started, state: 'INTERRUPTED', atLeast: true },
    /The server stopped unexpectedly: at least 1,200 of 5,000 are done/,
  ],
] as const)('a long action %s', async (_, job, text) => {
  aServer(() => job as Job);
  await restartAll();
  await screen.findByText(text);
});

it('a long action that the server has forgotten says so', async () => {
  aServer(() => failure(404, { message: 'Not Found: there is no job "j1"' }));
  await restartAll();
  await screen.findByText('The server no longer knows the result of this action.');
});

it('a long action shows its progress, also after a reload and a restart of the server, and its result until it is closed', async () => {
  let job: Job | Response = started;
  aServer(() => job);
  const first = await restartAll();
  await screen.findByText('1,200 of 5,000 done');
  expect(screen.getByRole('region', { name: 'Restart 1 execution' })).toBeTruthy();
  first.unmount();
  const { user } = renderAt('/executions');
  await screen.findByText('1,200 of 5,000 done');
  job = failure(503, { message: 'Service Unavailable' });
  await screen.findByText(/The server can't be reached/);
  job = { ...started, done: 3_000 };
  await screen.findByText('3,000 of 5,000 done');
  job = {
    ...started,
    state: 'ENDED',
    done: 5_000,
    response: { status: 200, body: { count: 4_990, totalItems: 4_990 } },
  };
  await screen.findByText('Finished: 4,990 of 5,000 done', undefined, { timeout: 60_000 });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(localStorage.getItem('jobs')).toBeNull());
});
