import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { writeSetting } from '../../../storage/settings.ts';
import { anExecution, aState, aTaskRun } from '../../../testing/factories.ts';
import { ExecutionLogs } from './ExecutionLogs.tsx';

// The lines themselves have tests of their own.
vi.mock('../../logs/index.ts', () => ({
  LogView: ({ taskRunId = 'all' }: { taskRunId?: string }) => <p>log of {taskRunId}</p>,
}));

const execution = anExecution({
  state: 'FAILED',
  taskRunList: [
    aTaskRun({ id: 'good', taskId: 'load' }),
    aTaskRun({ id: 'bad', taskId: 'check', state: aState('FAILED') }),
  ],
});
const show = () =>
  render(
    <MantineProvider>
      <ExecutionLogs
        execution={execution}
        isLive={false}
        selectedId={undefined}
        onSelect={() => {}}
        level={undefined}
      />
    </MantineProvider>,
  );
const logs = () => screen.queryAllByText(/^log of/).map(({ textContent }) => textContent);

it('S2-2.9 S2-2.10 shows the log by task, or by time when asked to, and remembers which', async () => {
  const user = userEvent.setup();
  const { unmount } = show();
  await screen.findByText('log of good');
  expect(logs()).toEqual(['log of good', 'log of bad']);
  await user.click(screen.getByText('By time'));
  await screen.findByText('log of all');
  unmount();
  show();
  await screen.findByText('log of all');
});

it('[S2-2s.4] opens the log of tasks as the settings say, at once', async () => {
  act(() => writeSetting('logDisplay', 'hidden'));
  show();
  await screen.findByText('check');
  expect(logs()).toEqual([]);
  act(() => writeSetting('logDisplay', 'error'));
  await screen.findByText('log of bad');
  expect(logs()).toEqual(['log of bad']);
});
