import { MantineProvider } from '@mantine/core';
import { type LogEntry, logLevels } from '@millrace/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { prefetchLog } from '../../api/readLog.ts';
import { writeSetting } from '../../storage/settings.ts';
import { theme } from '../../theme/theme.ts';
import { type LogChoice, LogView } from './LogView.tsx';
import { isBelow } from './logLine.ts';
import { aLogEntry } from './testing/aLogEntry.ts';

/** The part of EventSource that the stream reader uses, driven by the test. */
class FakeStream {
  static last: FakeStream | undefined;
  onmessage: ((frame: MessageEvent<string>) => void) | null = null;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;
  isClosed = false;
  constructor(url: string) {
    this.url = url;
    FakeStream.last = this;
  }
  close() {
    this.isClosed = true;
  }
  send(id: string, entry: object) {
    this.onmessage?.(new MessageEvent('message', { lastEventId: id, data: JSON.stringify(entry) }));
  }
}

const calls: string[] = [];
let listed: LogEntry[] = [];

beforeEach(() => {
  calls.length = 0;
  // jsdom lays nothing out, and a list of no height shows no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
  listed = [
    aLogEntry({ message: 'first', level: 'INFO', taskRunId: 'r1', taskId: 'extract' }),
    aLogEntry({ message: 'second\nwith more', level: 'DEBUG', taskRunId: 'r2', taskId: 'load' }),
    aLogEntry({ message: '\u001b[31mthird\u001b[0m', level: 'ERROR', taskRunId: 'r2', taskId: 'load' }),
  ];
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(url);
    const { searchParams } = new URL(url, 'http://localhost');
    const lowest = logLevels.find((level) => level === searchParams.get('minLevel')) ?? 'TRACE';
    return Promise.resolve(Response.json(listed.filter(({ level }) => !isBelow(level, lowest))));
  });
});

type Given = Partial<Parameters<typeof LogView>[0]>;

/** The selection in the log is restored, as it is from the address of a page. */
function Page(props: Given) {
  const [choice, setChoice] = useState<LogChoice>({});
  return (
    <LogView
      executionId="x1"
      live={false}
      choice={choice}
      onChoose={(part) => setChoice((old) => ({ ...old, ...part }))}
      {...props}
    />
  );
}
const show = (props: Given = {}) =>
  render(
    <MantineProvider theme={theme}>
      <Page {...props} />
    </MantineProvider>,
  );
const rows = () => [...document.querySelectorAll('[data-index]')].map((row) => row.textContent);

test('S2-2.10 lines of all tasks stand in the order of time, with level, task and the first line of the message', async () => {
  show();
  await screen.findByText('first');
  expect(rows()).toHaveLength(3);
  expect(rows().map((row) => /first|second|third/.exec(row ?? '')?.[0])).toEqual([
    'first',
    'second',
    'third',
  ]);
  expect(rows()[1]).toContain('DEBUG');
  expect(rows()[1]).toContain('load');
  expect(rows()[1]).not.toContain('with more');
  expect(calls).toEqual(['/api/v1/logs/x1?minLevel=TRACE']);
});

test('S2-2s.12 lines are as large as the settings say, at once', async () => {
  show();
  await screen.findByText('first');
  const sizeOf = () => screen.getByText('first').closest<HTMLElement>('[style*="font-size"]')?.style.fontSize;
  expect(sizeOf()).toBe('12px');
  act(() => writeSetting('logsFontSize', 16));
  await waitFor(() => expect(sizeOf()).toBe('16px'));
});

test('S2-3.5 of a task run that was tried more than once, each attempt can be read alone', async () => {
  listed = [
    aLogEntry({ message: 'first', taskRunId: 'r1', attemptNumber: 0 }),
    aLogEntry({ message: 'again', taskRunId: 'r1', attemptNumber: 1 }),
  ];
  show({ taskRunId: 'r1', attempts: 2 });
  await screen.findByText('again');
  const choice = screen.getByLabelText('Attempt');
  await userEvent.selectOptions(choice, 'Attempt 2');
  expect(screen.queryByText('first')).toBeNull();
  expect(screen.getByText('again')).toBeTruthy();
  await userEvent.selectOptions(choice, 'Every attempt');
  expect(screen.getByText('first')).toBeTruthy();
});

test('what a page has read ahead is there at the first drawing, and is asked for once', async () => {
  await prefetchLog({ executionId: 'x1', minLevel: 'TRACE' }, new AbortController().signal);
  show();
  expect(rows()).toHaveLength(3);
  await waitFor(() => expect(document.querySelector('[aria-busy="false"]')).toBeTruthy());
  expect(rows()).toHaveLength(3);
  expect(calls).toHaveLength(1);
});

test('what was read ahead for a page that never came is given up', async () => {
  const left = new AbortController();
  await prefetchLog({ executionId: 'x1', minLevel: 'TRACE' }, left.signal);
  left.abort();
  show();
  expect(rows()).toHaveLength(0);
  await screen.findByText('first');
  expect(calls).toHaveLength(2);
});

test('an opened line shows the whole entry', async () => {
  show();
  await userEvent.click(await screen.findByText('second'));
  expect(document.querySelector('pre')?.textContent).toBe('second\nwith more');
});

test('a higher level hides lines without asking again, a lower one asks', async () => {
  show({ usualLevel: 'INFO' });
  await screen.findByText('first');
  await userEvent.selectOptions(screen.getByLabelText('Lowest level shown'), 'ERROR');
  expect(rows()).toHaveLength(1);
  expect(calls).toHaveLength(1);
  await userEvent.selectOptions(screen.getByLabelText('Lowest level shown'), 'DEBUG');
  await waitFor(() => expect(calls.at(-1)).toContain('minLevel=DEBUG'));
});

test('a search jumps to its first hit, counts all and steps through them', async () => {
  show();
  await screen.findByText('first');
  await userEvent.type(screen.getByLabelText('Search the log'), 'load');
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  expect(screen.getByText('2 of 2')).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  expect(screen.getByText('1 of 2')).toBeTruthy();
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  expect(screen.getByText('2 of 2')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Search the log'), 'nowhere');
  expect(await screen.findByText('No match')).toBeTruthy();
});

test('a task id asks the page for its task run alone', async () => {
  const onOnlyRun = vi.fn();
  show({ onOnlyRun });
  await userEvent.click(await screen.findByRole('button', { name: 'extract' }));
  expect(onOnlyRun).toHaveBeenCalledWith('r1');
});

test('what an address says of a log holds from the beginning, and an address that changes is followed', async () => {
  const { rerender } = show({ choice: { level: 'ERROR', q: 'third' } });
  expect(await screen.findByText('1 of 1')).toBeTruthy();
  expect(rows()).toHaveLength(1);
  rerender(
    <MantineProvider theme={theme}>
      <Page choice={{ q: 'load' }} />
    </MantineProvider>,
  );
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  expect(screen.getByLabelText('Search the log')).toHaveProperty('value', 'load');
});

test('while live, new lines arrive once although the stream repeats the stored ones', async () => {
  const { unmount } = show({ live: true });
  await screen.findByText('first');
  await waitFor(() => expect(FakeStream.last?.url).toBe('/api/v1/logs/x1/follow?minLevel=TRACE&packed=true'));
  act(() => {
    FakeStream.last?.send('start', {});
    for (const { message, ...shared } of listed)
      FakeStream.last?.send('progress', [{ ...shared, messages: [message] }]);
    const { message: _, ...shared } = aLogEntry();
    FakeStream.last?.send('progress', [{ ...shared, messages: ['fourth', 'fifth'] }]);
  });
  await screen.findByText('fifth');
  expect(rows()).toHaveLength(5);
  unmount();
  expect(FakeStream.last?.isClosed).toBe(true);
});

test.each([
  ['over', { live: false }, 'This execution wrote no log.'],
  ['running', { live: true }, 'No log yet. Lines appear here as the tasks write them.'],
  [
    'filtered',
    { live: false, usualLevel: 'WARN' },
    'Nothing at this level or above. Choose a lower level to see more.',
  ],
] as const)('an empty log that is %s says what it means', async (_, props, text) => {
  listed = [];
  show(props);
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a log that cannot be read says why', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ message: 'No such execution.' }, { status: 404 })),
  );
  show();
  expect((await screen.findByRole('alert')).textContent).toContain('The log could not be read.');
});
