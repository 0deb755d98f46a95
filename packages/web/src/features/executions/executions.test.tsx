import { executions, flows, logs } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeEventSource } from '../../testing/FakeEventSource.ts';
import { aFlowWithSource, anExecution, aState, aTaskRun } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

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
  it('the overview shows the outputs of the flow, or of its tasks outside of loops', async () => {
    const runs = [
      aTaskRun({ outputs: { rows: 48210, headers: { type: 'json' } } }),
      aTaskRun({ id: 'run2', taskId: 'each', value: 'a', outputs: { rows: 7 } }),
    ];
    let outputs: Record<string, unknown> | undefined;
    fakeServer(reply(executions.getExecution, () => anExecution({ taskRunList: runs, outputs })));
    const view = renderAt(page);
    await screen.findByText('48210');
    expect(screen.queryByText('7')).toBeNull();
    // Deeper values are folded.
    expect(screen.queryByText('json')).toBeNull();
    view.unmount();
    outputs = { total: 99_001 };
    renderAt(page);
    await screen.findByText('99001');
    expect(screen.queryByText('48210')).toBeNull();
  });

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

  it('O-6.3 says how many of its task runs are shown when it has more', async () => {
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
