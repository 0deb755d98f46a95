import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { theme } from '../../theme/theme.ts';
import { anExecution, aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { Topology } from './Topology.tsx';
import { aFlowGraph } from './testing/aFlowGraph.ts';

const graph = aFlowGraph({
  triggers: ['daily'],
  tasks: [{ id: 'extract' }, { id: 'decide', choices: { yes: [{ id: 'load' }], no: [{ id: 'skip' }] } }],
  errors: [{ id: 'alert' }],
  finally: [{ id: 'clean_up' }],
});

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
});

const show = (props: Partial<Parameters<typeof Topology>[0]> = {}) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <Topology graph={graph} {...props} />
      </QueryClientProvider>
    </MantineProvider>,
  );

test('tasks, triggers, branches and choices are all there', () => {
  show();
  for (const text of [
    'Triggers',
    'daily',
    'extract',
    'decide',
    'load',
    'skip',
    'alert',
    'Finally',
    'clean_up',
  ])
    expect(screen.getByText(text)).toBeTruthy();
  for (const label of ['yes', 'no', 'on error']) expect(screen.getByText(label)).toBeTruthy();
});

test('a task can be chosen by pointer and by keyboard', async () => {
  const onSelect = vi.fn();
  show({ onSelect });
  fireEvent.click(screen.getByText('load'));
  expect(onSelect.mock.lastCall?.[0]).toMatchObject({ uid: 'root.decide.load' });
  screen.getByText('extract').closest<HTMLElement>('.react-flow__node')!.focus();
  await userEvent.keyboard('{Enter}');
  expect(onSelect.mock.lastCall?.[0]).toMatchObject({ uid: 'root.extract' });
  fireEvent.click(screen.getByText('decide'));
  expect(onSelect.mock.lastCall?.[0]).toMatchObject({ uid: 'root.decide' });
});

test('an execution shows states; tasks that never ran are dimmed once it ended', () => {
  const runs = [aTaskRun({ id: '1', taskId: 'extract', state: aState(['CREATED', 0], ['FAILED', 40]) })];
  show({ execution: anExecution({ taskRunList: runs, state: aState(['CREATED', 0], ['FAILED', 50]) }) });
  expect(screen.getByText('Failed')).toBeTruthy();
  expect(screen.getByText('load').closest('[data-unused]')).toBeTruthy();
  expect(screen.getByText('extract').closest('[data-unused]')).toBeNull();
});

test('the orientation is remembered', async () => {
  const { unmount } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Draw from left to right' }));
  unmount();
  show();
  expect(screen.getByRole('button', { name: 'Draw from top to bottom' })).toBeTruthy();
});

test('A-5.12 a large graph has an overview with every task, and a press in it moves the picture there', async () => {
  const tasks = Array.from({ length: 70 }, (_, index) => ({ id: `task_${index}` }));
  const { container } = show({ graph: aFlowGraph({ tasks }) });
  const overview = await screen.findByRole('img', { name: 'Overview of the graph' });
  const drawn = [...overview.querySelectorAll('path[fill]')].map((path) => path.getAttribute('d') ?? '');
  expect(drawn.join('').split('M').length - 1).toBeGreaterThanOrEqual(70);
  const picture = () => container.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform;
  const before = picture();
  overview.setPointerCapture = () => {};
  overview.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);
  fireEvent.pointerDown(overview, { button: 0, pointerId: 1, clientX: 50, clientY: 95 });
  await waitFor(() => expect(picture()).not.toBe(before));
});
