import { MantineProvider } from '@mantine/core';
import { logs } from '@millrace/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../api/queryClient.ts';
import { writeSetting } from '../../../storage/settings.ts';
import { anExecution, aState, aTaskRun } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { theme } from '../../../theme/theme.ts';
import { aLogEntry } from '../../logs/testing/aLogEntry.ts';
import type { SetSearch } from '../search.ts';
import { ExecutionLogs } from './ExecutionLogs.tsx';

const execution = anExecution({
  state: 'FAILED',
  taskRunList: [
    aTaskRun({ id: 'good', taskId: 'load' }),
    aTaskRun({
      id: 'bad',
      taskId: 'check',
      state: aState('FAILED'),
      attempts: [
        { state: aState('FAILED') },
        { state: aState('FAILED'), logFile: 'millrace:///a/executions/e/tasks/check/bad/attempt-1.log' },
      ],
    }),
    aTaskRun({ id: 'quiet', taskId: 'mail' }),
  ],
});

beforeEach(() => {
  // jsdom lays nothing out, and a list of no height shows no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
});

function show(keep: SetSearch = () => {}, selectedId?: string) {
  const server = fakeServer(
    reply(logs.listLogs, () => [
      aLogEntry({ message: 'checking', taskRunId: 'bad', taskId: 'check' }),
      aLogEntry({ message: 'loaded', taskRunId: 'good', taskId: 'load' }),
      aLogEntry({ message: 'broken', taskRunId: 'bad', taskId: 'check', level: 'ERROR' }),
    ]),
  );
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider theme={theme}>
        <ExecutionLogs
          execution={execution}
          isLive={false}
          selectedId={selectedId}
          onSelect={() => {}}
          search={{}}
          keep={keep}
        />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return { ...view, server };
}
const rows = () => [...document.querySelectorAll('[data-index]')].map(({ textContent }) => textContent ?? '');
const messages = () => rows().flatMap((row) => /loaded|checking|broken/.exec(row) ?? []);

it('S2-2.9 S2-2.10 shows the log by task, or by time when asked to, and remembers which', async () => {
  const user = userEvent.setup();
  const { unmount } = show();
  await screen.findByText('loaded');
  expect(messages()).toEqual(['loaded', 'checking', 'broken']);
  expect(screen.getByRole('button', { name: /load.*1 line/ })).toBeTruthy();
  // One that wrote nothing is named, and has nothing to open.
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /mail.*0 lines/ }).disabled).toBe(true);
  await user.click(screen.getByText('By time'));
  expect(messages()).toEqual(['checking', 'loaded', 'broken']);
  unmount();
  show();
  await screen.findByText('loaded');
  expect(messages()).toEqual(['checking', 'loaded', 'broken']);
});

it('S2-2.9 opens and closes the tasks of the log, all at once too, and a search looks into closed ones', async () => {
  localStorage.removeItem('logOrder');
  const user = userEvent.setup();
  show();
  await user.click(await screen.findByRole('button', { name: /check.*2 lines/ }));
  expect(messages()).toEqual(['loaded']);
  await user.type(screen.getByLabelText('Search the log'), 'broken');
  await screen.findByText('1 of 1');
  expect(messages()).toEqual(['loaded', 'checking', 'broken']);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Open all tasks' }));
  expect(messages()).toEqual(['loaded', 'checking', 'broken']);
  await user.click(screen.getByRole('button', { name: 'Close all tasks' }));
  expect(messages()).toEqual([]);
});

it('[S2-2s.4] opens the log of tasks as the settings say, at once', async () => {
  localStorage.removeItem('logOrder');
  act(() => writeSetting('logDisplay', 'hidden'));
  show();
  await screen.findByText('check');
  expect(messages()).toEqual([]);
  act(() => writeSetting('logDisplay', 'error'));
  await screen.findByText('broken');
  expect(messages()).toEqual(['checking', 'broken']);
});

it('tells the page what was chosen of the log, for its address', async () => {
  const keep = vi.fn();
  show(keep);
  await userEvent.selectOptions(await screen.findByLabelText('Lowest level shown'), 'ERROR');
  expect(keep).toHaveBeenLastCalledWith({ level: 'ERROR' });
  await userEvent.click(screen.getByText('By time'));
  expect(keep).toHaveBeenLastCalledWith({ order: 'time' });
  await userEvent.type(screen.getByLabelText('Search the log'), 'bro');
  await waitFor(() => expect(keep).toHaveBeenLastCalledWith({ q: 'bro' }));
});

it('leads to the file that holds what an attempt said beyond its log', async () => {
  show(() => {}, 'bad');
  await screen.findByText('Log file of attempt 2');
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: /attempt-1\.log/ });
  expect(link.href).toContain(encodeURIComponent('millrace:///a/executions/e/tasks/check/bad/attempt-1.log'));
});
