import { executionActions, executions, flows, logs, sessions, stats } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aLogEntry } from '../features/logs/testing/aLogEntry.ts';
import { ProgressBar, startProgressBar } from '../shell/progress.ts';
import { showTitledError } from '../shell/toasts.ts';
import { FakeUpload } from '../testing/FakeUpload.ts';
import { failure, fakeServer, reply } from '../testing/fakeServer.ts';
import { renderAt } from '../testing/renderAt.tsx';
import { beginActivity } from './activity.ts';
import { call, callInPieces } from './call.ts';
import { queryString } from './queryString.ts';
import { onSessionLost } from './session.ts';

const listing = [
  reply(flows.searchFlows, () => ({ results: [], total: 0 })),
  reply(flows.listNamespaces, () => []),
  reply(stats.getDailyExecutions, () => []),
];
const key = { namespace: 'shop', id: 'nightly' };

/** Renders the app, then makes a call with the given response. */
async function callAgainst(response: () => Response, options: { failures?: 'handled' } = {}) {
  fakeServer(...listing, reply(flows.getFlow, response));
  const view = renderAt('/flows');
  await screen.findByText('No flows yet');
  const outcome = await call(flows.getFlow, { params: key, ...options }).catch((error: unknown) => error);
  return { ...view, outcome };
}

describe('failures', () => {
  it('S1-8.1 an error without a body is a toast', async () => {
    await callAgainst(() => failure(500));
    await screen.findByText('The server answered with status 500.');
  });

  it('S1-8.6 S1-8.8 an error with a body is a toast titled by what stands before the first colon', async () => {
    await callAgainst(() => failure(409, { message: 'Illegal state: the flow is disabled' }));
    await screen.findByText('Illegal state');
    await screen.findByText('Illegal state: the flow is disabled');
  });

  it('S1-8.8 a message without a colon is titled "Error"', async () => {
    await callAgainst(() => failure(500, { message: 'It broke' }));
    await screen.findByText('Error');
  });

  it('S1-8.9 S1-3.11 the details of an error are listed with their paths', async () => {
    await callAgainst(() =>
      failure(422, {
        message: 'Invalid entity: tasks: at least one task is needed',
        _embedded: { errors: [{ path: 'tasks', message: 'at least one task is needed' }] },
      }),
    );
    await screen.findByText('At tasks:');
    await screen.findByText(/at least one task is needed/);
  });

  it('S1-8.9 S1-8.10 S1-8.11 the message is Markdown, with a link to the community', async () => {
    await callAgainst(() => failure(500, { message: 'Illegal state: the flow `nightly` is **off**' }));
    expect((await screen.findByText('off')).tagName).toBe('STRONG');
    const link = screen.getByRole('link', { name: 'Ask the community for help' });
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.closest('[data-position]')?.getAttribute('data-position')).toBe('bottom-right');
  });

  it('S1-8.8 an explicit title wins over the words before the colon', async () => {
    fakeServer(...listing);
    renderAt('/flows');
    await screen.findByText('No flows yet');
    showTitledError(new Error('Inputs: could not be read'), 'Subflow');
    await screen.findByText('Subflow');
    expect(screen.queryByText('Inputs')).toBeNull();
  });

  it('S1-6.4 S1-8.13 a refusal without words replaces the page', async () => {
    await callAgainst(() => failure(403));
    await screen.findByText("You don't have the required permissions to access this page.");
    expect(screen.getByRole('heading', { level: 1, name: 'Access denied' })).toBeTruthy();
  });

  it('S1-8.6 the caller can keep an error to itself', async () => {
    const { outcome } = await callAgainst(() => failure(500, { message: 'Quiet: please' }), {
      failures: 'handled',
    });
    expect(outcome).toMatchObject({ status: 500 });
    expect(screen.queryByText('Quiet')).toBeNull();
  });

  it('S1-8.5 a 400 goes to the caller with its body and shows nothing', async () => {
    const body = { message: 'invalid bulk', invalids: [{ message: 'x', invalidValue: 'y' }] };
    const { outcome } = await callAgainst(() => failure(400, body));
    expect(outcome).toMatchObject({ status: 400, body });
    expect(screen.queryByText('invalid bulk')).toBeNull();
  });

  it('S1-8.2 no answer at all is rejected silently', async () => {
    const { outcome } = await callAgainst(() => {
      throw new TypeError('network down');
    });
    expect(outcome).toMatchObject({ status: 0 });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('S1-4.23 S1-4.24 an error toast stays until the route changes', async () => {
    const { router } = await callAgainst(() => failure(500, { message: 'Illegal state: no' }));
    await screen.findByText('Illegal state');
    fakeServer(
      ...listing,
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    );
    await router.navigate({ to: '/{-$tenant}/executions', search: {} });
    await waitFor(() => expect(screen.queryByText('Illegal state')).toBeNull());
  });
});

describe('requests', () => {
  it('S1-7.16 S2-7e.19 S2-9.1 give up after 15 seconds, after an hour when they carry forms', async () => {
    fakeServer(...listing);
    const limit = vi.spyOn(AbortSignal, 'timeout');
    await call(flows.listNamespaces, {});
    const forms = [executions.triggerExecution, executions.validateInputs];
    for (const one of forms) await call(one, { params: key, body: new FormData() }).catch(() => {});
    const resumes = [executionActions.resumeExecution, executionActions.validateResume];
    for (const one of resumes)
      await call(one, { params: { executionId: 'exec1' }, body: new FormData() }).catch(() => {});
    expect(limit.mock.calls).toEqual([[15_000], ...Array(4).fill([3_600_000])]);
  });

  it('S1-7.18 repeat the name of a list and leave out what is empty', () => {
    expect(queryString({ k: ['a', 'b'], q: '', page: 2, none: undefined })).toBe('?k=a&k=b&page=2');
    expect(queryString({})).toBe('');
  });

  it('S1-7.17 send JSON under its content type', async () => {
    const spy = vi.fn(async (_url: string, _init?: RequestInit) => new Response('{}'));
    vi.stubGlobal('fetch', spy);
    await call(sessions.login, { body: { username: 'a', password: 'b' } });
    expect(spy.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Content-Type': 'application/json' });
  });

  it('S2-7f.6 send YAML as it is, under its own content type', async () => {
    const source = 'id: nightly # a comment\nnamespace: shop\n';
    const spy = vi.fn(async (_url: string, _init?: RequestInit) => new Response('{}'));
    vi.stubGlobal('fetch', spy);
    await call(flows.updateFlow, { params: key, body: source });
    expect(spy.mock.calls[0]?.[0]).toBe('/api/v1/flows/shop/nightly');
    expect(spy.mock.calls[0]?.[1]).toMatchObject({
      method: 'PUT',
      body: source,
      headers: { 'Content-Type': 'application/x-yaml' },
    });
  });
});

describe('progress bar', () => {
  const bar = () => document.querySelector<HTMLElement>('[data-progress="running"]');

  it('S1-7.19 moves on with each piece of an upload and of a download', async () => {
    fakeServer(...listing);
    renderAt('/flows');
    await screen.findByText('No flows yet');
    const end = beginActivity();
    await waitFor(() => expect(bar()).not.toBeNull());
    const advance = vi.spyOn(ProgressBar.prototype, 'advance');
    // Each piece has its own frame here; in one frame the bar moves once.
    vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => draw(0));
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
    const form = new FormData();
    form.append('files', new File(['x'.repeat(100)], 'data.txt'));
    await call(executions.triggerExecution, { params: key, body: form, failures: 'handled' });
    // Two pieces on the way there, and the answer.
    expect(advance).toHaveBeenCalledTimes(3);
    end();
  });

  it('S1-9.4 begins at 8 %, moves in 200 ms, and moves every 800 ms by itself', () => {
    vi.useFakeTimers();
    try {
      const progress = new ProgressBar();
      progress.start();
      const own = bar();
      const place = () => own?.style.transform;
      expect([place(), own?.style.getPropertyValue('--progress-speed')]).toEqual([
        'translateX(-92.0%)',
        '200ms',
      ]);
      vi.advanceTimersByTime(800);
      expect(place()).toBe('translateX(-82.0%)');
      progress.reach(0.1);
      expect(place()).toBe('translateX(-82.0%)');
      progress.end();
      expect(bar()).toBeNull();
      vi.advanceTimersByTime(400);
      expect(own?.isConnected).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not start when its page is gone before the frame that would draw it', async () => {
    const stop = startProgressBar();
    const end = beginActivity();
    stop();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(bar()).toBeNull();
    end();
  });

  it('S1-4.21 S1-4.22 starts with the first request and ends with the last', async () => {
    const waiting: ((reply: string[]) => void)[] = [];
    fakeServer(
      ...listing,
      reply(flows.listNamespaces, () => new Promise((resolve) => waiting.push(resolve))),
    );
    renderAt('/flows');
    await screen.findByText('No flows yet');
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting.pop()?.([]);
    await waitFor(() => expect(bar()).toBeNull());
    const calls = [call(flows.listNamespaces, {}), call(flows.listNamespaces, {})];
    await waitFor(() => expect(waiting).toHaveLength(2));
    await waitFor(() => expect(bar()).not.toBeNull());
    const first = bar();
    waiting[0]?.([]);
    await calls[0];
    expect(bar()).toBe(first);
    waiting[1]?.([]);
    await calls[1];
    expect(bar()).toBeNull();
  });
});

describe('a long list', () => {
  const text = (message: string) => JSON.stringify(aLogEntry({ message }));
  const inPieces = (...texts: string[]) => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const text = texts.shift();
        if (text === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
  const read = async (response: Response) => {
    fakeServer(reply(logs.listLogs, () => response));
    const pieces: (string | null | undefined)[][] = [];
    await callInPieces(logs.listLogs, { params: { executionId: 'e1' } }, (entries) =>
      pieces.push(entries.map(({ message }) => message)),
    );
    return pieces;
  };

  it('is handed over as it arrives, wherever it is cut on its way', async () => {
    const whole = `[${text('a]')},${text('b\nc')}\n,${text('d')}\n]`;
    for (const at of [1, 40, whole.indexOf('\n') + 1, whole.length - 1])
      expect(await read(inPieces(whole.slice(0, at), whole.slice(at)))).toEqual([['a]', 'b\nc'], ['d']]);
  });

  it('may be short or empty', async () => {
    expect(await read(inPieces(`[${text('a')}]`))).toEqual([['a']]);
    expect(await read(inPieces('[]'))).toEqual([]);
  });
});

it('S1-8.4 a session that is lost while the app starts is reported to the first listener', async () => {
  fakeServer(reply(flows.getFlow, () => failure(401)));
  await expect(call(flows.getFlow, { params: key, failures: 'handled' })).rejects.toThrow();
  const told = vi.fn();
  onSessionLost(told)();
  onSessionLost(told)();
  expect(told.mock.calls).toEqual([[{ expired: false }]]);
});
