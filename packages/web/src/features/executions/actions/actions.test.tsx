import { type Execution, executionActions, executions, flows } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeEventSource } from '../../../testing/FakeEventSource.ts';
import { aFlowWithSource, anExecution, aState, aTaskRun } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const page = '/executions/shop.orders/nightly/exec1';
type Routes = Parameters<typeof fakeServer>;

/** The page of an execution, with a server that knows it. */
const openPage = (execution: Execution, url: string, ...routes: Routes) => {
  fakeEventSource();
  const server = fakeServer(
    reply(executions.getExecution, ({ params }) => ({ ...execution, id: params.executionId ?? '' })),
    ...routes,
  );
  return { server, ...renderAt(url) };
};

/** The dialog of an action, chosen from the menu of the page. */
const choose = async (execution: Execution, name: string, ...routes: Routes) => {
  const view = openPage(execution, page, ...routes);
  await view.user.click(await screen.findByRole('button', { name: 'More actions for execution exec1' }));
  await view.user.click(await screen.findByRole('menuitem', { name }));
  return { ...view, dialog: within(await screen.findByRole('dialog')) };
};

describe('actions of an execution', () => {
  it('S2-7e.1 restarts a failed execution in place', async () => {
    const { server, user, dialog, href } = await choose(
      anExecution({ state: 'FAILED' }),
      'Restart',
      reply(executionActions.restartExecution, () => anExecution({ state: 'RUNNING' })),
    );
    await user.click(dialog.getByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(document.querySelector('[data-state="RUNNING"]')).toBeTruthy());
    expect(server.to(executionActions.restartExecution)).toHaveLength(1);
    expect(href()).toBe(page);
  });

  it('S2-4.3 S2-7e.10 replays on its own revision and opens the new execution', async () => {
    const { server, user, dialog, href } = await choose(
      anExecution(),
      'Replay',
      reply(executionActions.replayExecution, () => anExecution({ id: 'exec2' })),
    );
    await user.click(dialog.getByRole('button', { name: 'Replay' }));
    await waitFor(() => expect(href()).toBe('/executions/shop.orders/nightly/exec2/gantt'));
    expect(server.to(executionActions.replayExecution)[0]?.query.get('revision')).toBeNull();
  });

  const revisions = reply(flows.listRevisions, () =>
    [1, 2, 7].map((revision) =>
      aFlowWithSource({ revision, inputs: [{ id: 'who', type: 'STRING', displayName: 'Who' }] }),
    ),
  );

  it.each([
    ['Replay', 'SUCCESS', executionActions.replayExecution],
    ['Restart', 'FAILED', executionActions.restartExecution],
  ] as const)(
    'S2-2.12 S2-4.2 S2-7e.10 %s says that the flow was saved since and takes the revision that is chosen',
    async (name, state, endpoint) => {
      const { server, user, dialog } = await choose(anExecution({ state }), name, revisions, {
        endpoint,
        reply: () => anExecution({ id: 'exec2' }),
      });
      await dialog.findByText(/this execution ran on revision 1, the latest is 7/);
      await user.click(dialog.getByRole('button', { name: 'Use the latest' }));
      expect(dialog.queryByText(/ran on revision 1/)).toBeNull();
      await user.click(dialog.getByRole('button', { name }));
      await waitFor(() => expect(server.to(endpoint)[0]?.query.get('revision')).toBe('7'));
    },
  );

  it('replays with other inputs, beginning with those it had', async () => {
    const { server, user, dialog } = await choose(
      anExecution({ inputs: { who: 'you' } }),
      'Replay',
      revisions,
      reply(executionActions.replayWithInputs, () => anExecution({ id: 'exec2' })),
    );
    await user.click(await dialog.findByLabelText('Change the inputs'));
    const field = dialog.getByLabelText(/Who/);
    expect(field).toHaveProperty('value', 'you');
    await user.type(field, ' two');
    await user.click(dialog.getByRole('button', { name: 'Replay' }));
    await waitFor(() => expect(server.to(executionActions.replayWithInputs)).toHaveLength(1));
    const sent = server.to(executionActions.replayWithInputs)[0]?.body as FormData;
    expect([...sent.entries()]).toEqual([['who', 'you two']]);
  });

  it.each([
    ['S2-4.7 S2-7e.16', 'Pause', 'RUNNING', executionActions.pauseExecution, undefined],
    ['S2-4.9', 'Unqueue', 'QUEUED', executionActions.unqueueExecution, anExecution({ state: 'RUNNING' })],
    ['S2-4.10', 'Force run', 'CREATED', executionActions.forceRun, anExecution({ state: 'RUNNING' })],
  ] as const)('%s %s is done after a yes', async (_, name, state, endpoint, reply) => {
    const { server, user, dialog } = await choose(anExecution({ state }), name, {
      endpoint,
      reply: () => reply,
    });
    expect(server.to(endpoint)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.to(endpoint)).toHaveLength(1);
  });

  it('S2-4.18 says what a forced run does in each state', async () => {
    const { dialog } = await choose(anExecution({ state: 'RUNNING' }), 'Force run');
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Created tasks start to run.',
      'Running tasks are submitted again.',
      'Queued tasks leave the queue.',
      'Paused tasks are resumed.',
    ]);
  });

  it('S2-4.6 S2-7e.13 kills without the children when that is chosen', async () => {
    const { server, user, dialog } = await choose(
      anExecution({ state: 'RUNNING' }),
      'Kill',
      reply(executions.killExecution, () => undefined),
    );
    await user.click(dialog.getByLabelText('Kill the executions it started too'));
    await user.click(dialog.getByRole('button', { name: 'Kill' }));
    await waitFor(() => expect(server.to(executions.killExecution)).toHaveLength(1));
    expect(server.to(executions.killExecution)[0]?.query.get('isOnKillCascade')).toBe('false');
  });

  it('S2-4.4 S2-7e.11 changes the status into another end', async () => {
    const { server, user, dialog } = await choose(
      anExecution({ state: 'FAILED' }),
      'Change status',
      reply(executionActions.changeStatus, () => anExecution({ state: 'WARNING' })),
    );
    expect(dialog.getByRole('button', { name: 'Change' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('radio', { name: /Warning/ }));
    await user.click(dialog.getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(server.to(executionActions.changeStatus)).toHaveLength(1));
    expect(server.to(executionActions.changeStatus)[0]?.query.get('status')).toBe('WARNING');
  });

  it('S2-4.11 S2-7e.25 sets labels and leaves those of the system alone', async () => {
    const labels = [
      { key: 'system.correlationId', value: 'x' },
      { key: 'team', value: 'data' },
    ];
    const { server, user, dialog } = await choose(
      anExecution({ labels }),
      'Set labels',
      reply(executionActions.setLabels, () => anExecution()),
    );
    await user.type(dialog.getByLabelText('Value'), '-eu');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.to(executionActions.setLabels)).toHaveLength(1));
    expect(JSON.parse(String(server.to(executionActions.setLabels)[0]?.body))).toEqual([
      { key: 'team', value: 'data-eu' },
    ]);
  });

  it('S2-7e.25 shows the sentence that the server refuses labels with', async () => {
    const sentence = 'The execution is not terminated: its labels cannot be set while it is RUNNING.';
    const { user, dialog } = await choose(
      anExecution(),
      'Set labels',
      reply(
        executionActions.setLabels,
        () => new Response(sentence, { status: 400, headers: { 'content-type': 'text/plain' } }),
      ),
    );
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText(sentence);
  });

  it('S2-4.12 S2-7e.20 deletes what was chosen with the execution and leaves its page', async () => {
    const { server, user, dialog, href } = await choose(
      anExecution(),
      'Delete',
      reply(executions.deleteExecution, () => undefined),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    );
    await user.click(dialog.getByLabelText('Metrics'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(href()).toBe('/executions'));
    expect(server.to(executions.deleteExecution)[0]?.query.toString()).toBe(
      'deleteLogs=true&deleteMetrics=false&deleteStorage=true',
    );
  });

  it('S2-4.21 warns before one that has not ended is deleted', async () => {
    const { dialog } = await choose(anExecution({ state: 'RUNNING' }), 'Delete');
    expect(dialog.getByRole('alert').textContent).toMatch(/concurrency/);
  });

  it('keeps the dialog open with the words of the server when it refuses', async () => {
    const { user, dialog } = await choose(
      anExecution({ state: 'RUNNING' }),
      'Pause',
      reply(executionActions.pauseExecution, () => failure(409, { message: 'Illegal state: it is SUCCESS' })),
    );
    await user.click(dialog.getByRole('button', { name: 'Pause' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Illegal state: it is SUCCESS');
  });
});

describe('resume', () => {
  const input = { id: 'reason', type: 'STRING' as const, displayName: 'Reason' };
  const checks = reply(executionActions.validateResume, () => ({
    id: 'nightly',
    namespace: 'shop.orders',
    inputs: [{ input, enabled: true, errors: [] }],
  }));

  it('S2-4.8 S2-7e.15 asks for what the pause wants, validated first, and sends it', async () => {
    const { server, user, dialog } = await choose(
      anExecution({ state: 'PAUSED' }),
      'Resume',
      checks,
      reply(executionActions.resumeExecution, () => undefined),
    );
    await user.type(await dialog.findByLabelText(/Reason/), 'checked');
    await user.click(dialog.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(server.to(executionActions.resumeExecution)).toHaveLength(1));
    const sent = server.to(executionActions.resumeExecution)[0]?.body as FormData;
    expect([...sent.entries()]).toEqual([['reason', 'checked']]);
  });

  it('shows a refusal beside the input it is about', async () => {
    const refusal = {
      message: 'Invalid entity: reason: missing',
      _embedded: { errors: [{ path: 'reason', message: 'Missing required input' }] },
    };
    const { user, dialog } = await choose(
      anExecution({ state: 'PAUSED' }),
      'Resume',
      checks,
      reply(executionActions.resumeExecution, () => failure(422, refusal)),
    );
    await dialog.findByLabelText(/Reason/);
    await user.click(dialog.getByRole('button', { name: 'Resume' }));
    await dialog.findByText('Missing required input');
    expect(dialog.queryByRole('alert')).toBeNull();
  });
});

describe('actions of a task run', () => {
  const failed = anExecution({ state: 'FAILED', taskRunList: [aTaskRun({ state: aState('FAILED') })] });
  const selected = `${page}/gantt?taskRunId=run1`;

  it('S2-4.3 replays from the task run on', async () => {
    const { server, user, href } = openPage(
      failed,
      selected,
      reply(executionActions.replayExecution, () => anExecution({ id: 'exec2' })),
    );
    await user.click(await screen.findByRole('button', { name: 'Replay from here' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Replay' }));
    await waitFor(() => expect(href()).toBe('/executions/shop.orders/nightly/exec2/gantt'));
    expect(server.to(executionActions.replayExecution)[0]?.query.get('taskRunId')).toBe('run1');
  });

  it('S2-4.5 S2-7e.12 S2-4.14 S2-4.16 marks the task run and says beforehand what follows', async () => {
    const { server, user } = openPage(
      failed,
      selected,
      reply(executionActions.changeTaskRunState, () => anExecution({ state: 'RUNNING' })),
    );
    await user.click(await screen.findByRole('button', { name: 'Change state' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText('The flow is marked as warning; next tasks and error tasks run.');
    dialog.getByText('The flow restarts and blocked tasks run.');
    await user.click(dialog.getByRole('radio', { name: /Success/ }));
    await user.click(dialog.getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(server.to(executionActions.changeTaskRunState)).toHaveLength(1));
    expect(JSON.parse(String(server.to(executionActions.changeTaskRunState)[0]?.body))).toEqual({
      taskRunId: 'run1',
      state: 'SUCCESS',
    });
  });

  it('S2-4.15 S2-4.17 a paused task run may fail or resume', async () => {
    const paused = anExecution({ state: 'PAUSED', taskRunList: [aTaskRun({ state: aState('PAUSED') })] });
    const { user } = openPage(paused, selected);
    await user.click(await screen.findByRole('button', { name: 'Change state' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText('The flow is marked as failed; no other task runs, error tasks run.');
    dialog.getByText('The flow restarts and runs all next tasks.');
    expect(dialog.getAllByRole('radio')).toHaveLength(2);
  });
});
