import { executionReads, executions, flows, logs } from '@millrace/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeEventSource } from '../../testing/FakeEventSource.ts';
import { aFlow, aFlowWithSource, anExecution, aState, aTaskRun } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { usesTriggerBlindly } from './execute/ExecuteForm.tsx';

const namespaces = reply(flows.listNamespaces, () => ['shop.orders']);
const page = '/executions/shop.orders/nightly/exec1';

describe('execution list', () => {
  const many = Array.from({ length: 25 }, (_, index) => anExecution({ id: `exec-${index}-0000000` }));

  it('S2-7e.18 shows a page of the total and turns pages in the address', async () => {
    const server = fakeServer(
      namespaces,
      reply(executions.searchExecutions, () => ({ results: many, total: 60 })),
    );
    const { user, href } = renderAt('/executions');
    await screen.findByText('1–25 of 60');
    // By role, a table of this size takes jsdom many seconds to search.
    expect(document.querySelectorAll('tbody tr')).toHaveLength(25);
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('26–50 of 60');
    expect(href()).toBe('/executions?page=2');
    expect(server.to(executions.searchExecutions).at(-1)?.query.get('page')).toBe('2');
  });

  it.each(['/executions', '/executions?q=night&timeRange=P7D&sort=id:asc&page=1&size=25'])(
    'asks for the rows of %s once, with the page and not after it',
    async (address) => {
      // On a busy machine the page may take longer than the interval of the refresh.
      localStorage.setItem('autoRefresh', '0');
      const server = fakeServer(
        namespaces,
        reply(executions.searchExecutions, () => ({ results: many, total: 25 })),
      );
      renderAt(address);
      await screen.findByText('1–25 of 25');
      expect(server.to(executions.searchExecutions)).toHaveLength(1);
    },
  );

  it('sends the states of the address by repetition and looks back 30 days unless told otherwise', async () => {
    const server = fakeServer(
      namespaces,
      reply(executions.searchExecutions, () => ({ results: many, total: 25 })),
    );
    renderAt('/executions?state=FAILED&state=KILLED');
    await screen.findByText('1–25 of 25');
    const { query } = server.to(executions.searchExecutions)[0]!;
    expect(query.getAll('state')).toEqual(['FAILED', 'KILLED']);
    expect(query.get('timeRange')).toBe('P30D');
    expect(query.get('sort')).toBe('state.startDate:desc');
  });
});

describe('execution page', () => {
  it('S1-2.1.13 S1-1.6 opens at the tab and the task run in its address', async () => {
    // jsdom lays nothing out, and a list of no height shows no rows.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(480);
    const run = aTaskRun({ outputs: { rows: 48210 } });
    fakeServer(reply(executions.getExecution, () => anExecution({ taskRunList: [run] })));
    renderAt(`${page}/outputs?taskRunId=run1`);
    await screen.findByText('48210');
    expect(screen.getByRole('button', { name: /load/ }).getAttribute('aria-pressed')).toBe('true');
  });

  it.each([
    ['another flow', '/executions/shop.orders/other/exec1/logs?level=WARN&q=slow&order=time'],
    ['another namespace', '/executions/elsewhere/nightly/exec1/logs?level=WARN&q=slow&order=time'],
  ])(
    'S1-2.1.13 under the address of %s, an execution goes to its own, with the rest of the address',
    async (_, wrong) => {
      fakeServer(
        reply(executions.getExecution, () => anExecution({ taskRunList: [aTaskRun()] })),
        reply(logs.listLogs, () => []),
      );
      const { href } = renderAt(wrong);
      await waitFor(() => expect(href()).toBe(`${page}/logs?level=WARN&q=slow&order=time`));
      const search = await screen.findByLabelText('Search the log');
      expect(search).toHaveProperty('value', 'slow');
      expect(screen.getByLabelText('Lowest level shown')).toHaveProperty('value', 'WARN');
      expect(screen.getByLabelText('By time')).toHaveProperty('checked', true);
    },
  );

  it('S2-7e.22 follows a running execution without reloading and closes at the end', async () => {
    const streams = fakeEventSource();
    fakeServer(reply(executions.getExecution, () => anExecution({ state: 'RUNNING' })));
    renderAt(page);
    await waitFor(() => expect(streams.opened).toHaveLength(1));
    const stream = streams.opened[0]!;
    expect(stream.url).toBe('/api/v1/executions/exec1/follow?history=false&packed=true');
    stream.send('start', { id: 'exec1' });
    stream.send('progress', anExecution({ state: 'PAUSED' }));
    await waitFor(() => expect(document.querySelector('[data-state="PAUSED"]')).toBeTruthy());
    stream.send('end', anExecution({ state: 'SUCCESS' }));
    await waitFor(() => expect(document.querySelector('[data-state="SUCCESS"]')).toBeTruthy());
    expect(stream.isClosed).toBe(true);
  });

  it('says when the stream is broken and opens it again', async () => {
    const streams = fakeEventSource();
    fakeServer(reply(executions.getExecution, () => anExecution({ state: 'RUNNING' })));
    renderAt(page);
    await waitFor(() => expect(streams.opened).toHaveLength(1));
    streams.opened[0]?.fail();
    await screen.findByText('Connection lost, trying again');
    await waitFor(() => expect(streams.opened).toHaveLength(2));
  });

  it('says how many of its task runs are shown when it has more', async () => {
    const taskRunList = [aTaskRun(), aTaskRun({ id: 'run2', taskId: 'old', copied: true })];
    fakeServer(reply(executions.getExecution, () => anExecution({ taskRunList, taskRunTotal: 25_000 })));
    const { user } = renderAt(`${page}/gantt?taskRunId=run2`);
    const note = await screen.findByText(/^2 of 25,000 task runs shown\./);
    const link = within(note).getByRole('link', { name: 'All task runs of this flow' });
    expect(link.getAttribute('href')).toBe('/taskruns?namespace=shop.orders&flowId=nightly');
    const search = within(note).getByRole('link', { name: 'Search for the others in Outputs' });
    expect(search.getAttribute('href')).toBe(`${page}/outputs`);
    const panel = await screen.findByRole('region', { name: 'Task run old' });
    expect(within(panel).getByText('Copied')).toBeTruthy();
    expect(within(panel).getByText('12.0 s')).toBeTruthy();
    // The past is as incomplete, and says so too.
    await user.click(screen.getByRole('button', { name: 'Time travel' }));
    await screen.findByRole('slider');
    await screen.findByText(/^2 of 25,000 task runs shown\./);
  });

  it('S2-8.14 tells where and why it failed', async () => {
    const parent = aTaskRun({ id: 'p', taskId: 'group', state: aState('FAILED') });
    const child = aTaskRun({ id: 'c', taskId: 'load', parentTaskRunId: 'p', state: aState('FAILED') });
    fakeServer(
      reply(executions.getExecution, () => anExecution({ state: 'FAILED', taskRunList: [parent, child] })),
      reply(logs.listLogs, () => [
        {
          namespace: 'shop.orders',
          flowId: 'nightly',
          executionId: 'exec1',
          taskRunId: 'c',
          attemptNumber: 0,
          timestamp: '2026-03-01T02:00:00Z',
          level: 'ERROR' as const,
          message: 'connection refused',
          deleted: false,
        },
      ]),
    );
    renderAt(page);
    await screen.findByText('Execution failed! Last error was');
    await screen.findByText('load');
    await screen.findByText('connection refused');
    expect(screen.getByRole('link', { name: 'Show log' }).getAttribute('href')).toBe(
      `${page}/logs?taskRunId=c`,
    );
  });
});

it('S2-8.1 says so when an execution cannot be loaded, and why', async () => {
  fakeServer(reply(executions.getExecution, () => failure(503, { message: 'The database is away.' })));
  renderAt(page);
  await screen.findByText('Something went wrong while loading the execution', undefined, { timeout: 60_000 });
  // The page and the toast both tell.
  expect(screen.getAllByText(/The database is away/).length).toBeGreaterThan(0);
});

it('S1-2.5.1 S1-3.10 S2-3.4 names the execution that started it and the one it replays, each with its flow', async () => {
  const variables = { executionId: 'parent1', namespace: 'shop', flowId: 'all' };
  fakeServer(
    reply(executions.getExecution, () =>
      anExecution({
        originalId: 'exec0',
        scheduleDate: '2026-03-01T01:00:00Z',
        metadata: { attemptNumber: 3, originalCreatedDate: '2026-03-01T00:00:00Z' },
        trigger: { id: 'sub', type: 'core.flow.Subflow', variables },
      }),
    ),
  );
  renderAt(page);
  const facts = within((await screen.findByText('About this execution')).closest('section')!);
  const target = (name: string) => facts.getByRole('link', { name }).getAttribute('href');
  expect(target('parent1')).toBe('/executions/shop/all/parent1');
  expect(target('shop.all')).toBe('/flows/edit/shop/all');
  expect(target('exec0')).toBe('/executions/shop.orders/nightly/exec0');
  expect(facts.getByText('3')).toBeTruthy();
  expect(facts.getByText('Scheduled for')).toBeTruthy();
});

it('shows the executions that led to this one and that it led to, each with its state', async () => {
  const label = [{ key: 'system.correlationId', value: 'root' }];
  const startedBy = (id: string, type: string) => ({
    id: 'x',
    type,
    variables: { executionId: id, namespace: 'shop.orders', flowId: 'any' },
  });
  const chain = [
    anExecution({ id: 'root', flowId: 'first', labels: label }),
    anExecution({ labels: label, trigger: startedBy('root', 'core.flow.Subflow') }),
    anExecution({
      id: 'after',
      flowId: 'last',
      state: 'FAILED',
      labels: label,
      trigger: startedBy('exec1', 'core.trigger.Flow'),
    }),
  ];
  const server = fakeServer(
    reply(executions.getExecution, () => chain[1]!),
    reply(executions.searchExecutions, () => ({ results: chain, total: 3 })),
  );
  // The library that draws is large: its first load is not part of what is waited for.
  await import('./page/ExecutionDependencies.tsx');
  renderAt(`${page}/dependencies`);
  const card = await screen.findByText('last', { selector: 'a' });
  expect(card.getAttribute('href')).toBe('/executions/shop.orders/last/after/dependencies');
  expect(card.parentElement?.querySelector('[data-state="FAILED"]')).toBeTruthy();
  await screen.findByText('first', { selector: 'a' });
  expect(server.to(executions.searchExecutions).at(-1)?.query.getAll('labels')).toEqual([
    'system.correlationId:root',
  ]);
});

it('says beside the revision that the flow has been saved since', async () => {
  fakeServer(
    reply(executions.getExecution, () => anExecution()),
    reply(flows.getFlow, () => aFlowWithSource({ revision: 4 })),
  );
  renderAt(page);
  await screen.findByText('latest is 4');
});

describe('execute dialog', () => {
  const flow = aFlowWithSource({
    inputs: [
      { id: 'who', type: 'STRING', displayName: 'Who', defaults: 'you' },
      { id: 'count', type: 'INT', required: true },
    ],
  });
  const serving = [
    namespaces,
    reply(flows.getFlow, () => flow),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    reply(executions.validateInputs, () => ({
      id: flow.id,
      namespace: flow.namespace,
      inputs: (flow.inputs ?? []).map((input) => ({ input, enabled: true, errors: [] })),
    })),
    reply(executions.getExecution, () => anExecution()),
  ];
  const open = async () => {
    const view = renderAt('/flows/edit/shop.orders/nightly');
    await screen.findByText('About this flow');
    await view.user.click((await screen.findAllByRole('button', { name: 'Execute' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByLabelText(/count/);
    return { ...view, dialog };
  };

  it('S1-1.4 S2-7e.19 starts with defaults and given values and opens the execution', async () => {
    const server = fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog, href } = await open();
    expect(dialog.getByLabelText(/Who/)).toHaveProperty('value', 'you');
    // The keys of the dialog work at once: the focus is in its form, not on the button that closes it.
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/Who/)));
    await user.type(dialog.getByLabelText(/count/), '7');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(href()).toBe(`${page}/gantt`));
    const sent = server.to(executions.triggerExecution)[0]?.body as FormData;
    expect([...sent.entries()]).toEqual([
      ['who', 'you'],
      ['count', '7'],
    ]);
  });

  it('starts at the moment that was picked, by the clock of the settings', async () => {
    localStorage.setItem('timezone', 'Asia/Tokyo');
    const server = fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog } = await open();
    await user.type(dialog.getByLabelText(/count/), '7');
    const advanced = dialog.getByText('Advanced').closest('details');
    if (!advanced) throw new Error('What is advanced cannot be opened.');
    advanced.open = true;
    // jsdom does not tell that it was opened.
    fireEvent(advanced, new Event('toggle'));
    await user.click(await dialog.findByLabelText('Start later, at'));
    await user.click(await screen.findByLabelText(/^15 /));
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await waitFor(() => expect(server.to(executions.triggerExecution)).toHaveLength(1));
    const sent = server.to(executions.triggerExecution)[0]?.query.get('scheduleDate') ?? '';
    expect(new Date(sent).toISOString()).toMatch(/-14T15:00:00\.000Z$/);
  });

  it('S1-9.8 S2-2s.6 S2-2s.7 opens the execution in a new tab, at the tab of the settings, when they say so', async () => {
    localStorage.setItem('executeFlowBehaviour', 'new tab');
    localStorage.setItem('executeDefaultTab', 'logs');
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog, href } = await open();
    await user.type(dialog.getByLabelText(/count/), '7');
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await waitFor(() => expect(opened).toHaveBeenCalledWith(`${page}/logs`, '_blank', 'noopener'));
    expect(href()).toBe('/flows/edit/shop.orders/nightly');
    opened.mockRestore();
  });

  it('is reached from the list of executions by a namespace and a flow', async () => {
    fakeServer(
      ...serving,
      reply(executionReads.listExecutableNamespaces, () => ['shop.orders']),
      reply(executionReads.listExecutableFlows, () => [
        { ...aFlow({ inputs: flow.inputs }), errors: [], finally: [], afterExecution: [], triggers: [] },
      ]),
    );
    const { user } = renderAt('/executions?namespace=shop.orders');
    await user.click(await screen.findByRole('button', { name: 'Execute' }));
    const first = within(await screen.findByRole('dialog', { name: 'Execute a flow' }));
    await user.click(await first.findByRole('combobox', { name: 'Flow' }));
    await user.click(await screen.findByRole('option', { name: 'nightly' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Execute nightly' }));
    expect(await dialog.findByLabelText(/count/)).toBeTruthy();
  });

  it('takes over the inputs and labels of the execution that it is opened from', async () => {
    fakeServer(
      ...serving,
      reply(executions.getExecution, () =>
        anExecution({
          inputs: { who: 'me', count: 3 },
          labels: [
            { key: 'team', value: 'data' },
            { key: 'system.from', value: 'ui' },
          ],
        }),
      ),
    );
    const { user } = renderAt(page);
    await user.click(await screen.findByRole('button', { name: 'Execute' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Prefill from this execution' }));
    expect(dialog.getByLabelText(/Who/)).toHaveProperty('value', 'me');
    expect(dialog.getByLabelText(/count/)).toHaveProperty('value', '3');
    expect(dialog.getAllByLabelText('Key').map((field) => (field as HTMLInputElement).value)).toEqual([
      'team',
    ]);
  });

  it('gives the focus back when it is closed without a start', async () => {
    fakeServer(...serving);
    const { user } = await open();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement?.textContent).toContain('Execute');
  });

  it('S2-5.16 warns of trigger variables without a fallback', async () => {
    fakeServer(
      ...serving,
      reply(flows.getFlow, () => ({ ...flow, source: 'message: "{{ trigger.date }}"' })),
    );
    const { dialog } = await open();
    expect(dialog.getByText(/Give them a fallback with the \?\? operator/)).toBeTruthy();
    // The trigger itself always has them.
    const inputs = '  - id: hook\n    inputs: {a: "{{ trigger.body.a }}"}\n';
    expect(usesTriggerBlindly(`triggers:\n${inputs}tasks: []\n`)).toBe(false);
    expect(usesTriggerBlindly(`triggers:\n${inputs}outputs: "{{ trigger.body }}"\n`)).toBe(true);
  });

  it('shows what the server refuses in short words at the input it is about, and goes there', async () => {
    const message = 'Invalid input for `count`, missing required input, but received `null`';
    const refusal = {
      message: `Invalid entity: ${message}`,
      _embedded: { errors: [{ path: 'count', message }] },
    };
    fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => failure(422, refusal)),
    );
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await dialog.findByText('Required field');
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
  });

  it('S1-5.25 does not start with a label of which one half is empty', async () => {
    fakeServer(...serving);
    const { user, dialog } = await open();
    await user.click(dialog.getByText('Advanced'));
    await user.click(dialog.getByRole('button', { name: 'Add label' }));
    await user.type(dialog.getByLabelText('Key'), 'team');
    await dialog.findByText('Empty key or value is not allowed in labels');
    expect(dialog.getByRole('button', { name: 'Execute' })).toHaveProperty('disabled', true);
  });
});
