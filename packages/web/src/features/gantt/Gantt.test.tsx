import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { theme } from '../../theme/theme.ts';
import { Gantt } from './Gantt.tsx';
import { anExecution, aState, aTaskRun } from './testing/anExecution.ts';

const execution = anExecution({
  taskRunList: [
    aTaskRun({
      id: 'each',
      taskId: 'per_region',
      state: aState(['CREATED', 0], ['RUNNING', 5], ['WARNING', 900]),
    }),
    aTaskRun({ id: 'eu', taskId: 'enrich', value: 'eu', parentTaskRunId: 'each' }),
    aTaskRun({ id: 'us', taskId: 'enrich', value: 'us', parentTaskRunId: 'each' }),
    aTaskRun({
      id: 'last',
      taskId: 'notify',
      state: aState(['CREATED', 910], ['RUNNING', 920], ['SUCCESS', 990]),
    }),
  ],
});

beforeEach(() => {
  // jsdom lays nothing out, and a list of no height shows no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
});

const show = (props: Partial<Parameters<typeof Gantt>[0]> = {}) =>
  render(
    <MantineProvider theme={theme}>
      <Gantt execution={execution} {...props} />
    </MantineProvider>,
  );
const names = () => screen.getAllByRole('treeitem').map((row) => row.getAttribute('aria-label'));

test('every task run is a row of the tree, with state and duration in words', () => {
  show();
  expect(names()).toEqual([
    'per_region  Warning · 900 ms',
    'enrich eu Success · 100 ms',
    'enrich us Success · 100 ms',
    'notify  Success · 80 ms',
  ]);
  expect(screen.getAllByRole('treeitem')[1]).toHaveProperty('ariaLevel', '2');
  expect(screen.getByText('Total 1.0 s')).toBeTruthy();
});

test('a copied task run says so and has no bar', () => {
  const old = aTaskRun({ id: 'old', copied: true, state: aState(['CREATED', -9000], ['SUCCESS', -8000]) });
  show({ execution: anExecution({ taskRunList: [old, aTaskRun({ id: 'own' })] }) });
  expect(names()).toEqual(['old  Copied · Success · 1.0 s', 'own  Success · 100 ms']);
  const [row] = screen.getAllByRole('treeitem');
  expect(row?.querySelector('[data-kind]')).toBeNull();
  expect(screen.getByText('Total 1.0 s')).toBeTruthy();
});

test('a control task can be collapsed with its button', async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Hide the task runs inside per_region' }));
  expect(names()).toHaveLength(2);
  const [row] = screen.getAllByRole('treeitem');
  expect(within(row!).getByText('+2')).toBeTruthy();
});

test('the keyboard walks, collapses and selects', async () => {
  const onSelect = vi.fn();
  show({ onSelect });
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(onSelect).toHaveBeenLastCalledWith('us');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(names()).toHaveLength(2);
  await userEvent.keyboard('{End}{Enter}');
  expect(onSelect).toHaveBeenLastCalledWith('last');
});

test('a click selects, and the selected row says so', async () => {
  const onSelect = vi.fn();
  show({ onSelect, selectedTaskRunId: 'eu' });
  const rows = screen.getAllByRole('treeitem');
  expect(rows.map((row) => row.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false', 'false']);
  await userEvent.click(rows[3]!);
  expect(onSelect).toHaveBeenCalledWith('last');
});

test.each([
  ['over', anExecution(), 'This execution ran no task'],
  ['running', anExecution({ state: aState(['CREATED', 0], ['RUNNING', 1]) }), 'No task has started yet'],
])('an execution without task runs that is %s says so', (_, given, text) => {
  show({ execution: given });
  expect(screen.getByText(text)).toBeTruthy();
});

test('of ten thousand task runs only those in sight are drawn', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => aTaskRun({ id: `r${i}` }));
  show({ execution: anExecution({ taskRunList: many }) });
  expect(screen.getAllByRole('treeitem').length).toBeLessThan(60);
});
