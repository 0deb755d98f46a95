import { type Calendar, calendar, flowParts, flows } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import { aFlowWithSource } from '../../testing/factories.ts';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { periodOf, readDay, shiftDay } from './dates.ts';

// The pages are large: their first load is not part of a test's time.
beforeAll(() => Promise.all([import('./CalendarPage.tsx'), import('../flows/page/FlowPage.tsx')]));
beforeEach(() => writeSetting('timeZone', 'Europe/Paris'));
afterEach(() => writeSetting('timeZone', ''));

const flow: Calendar['flows'][number] = {
  namespace: 'shop',
  flowId: 'nightly',
  counts: { SUCCESS: 3, FAILED: 1 },
  cells: [
    { at: '2026-03-24T23:00:00.000Z', counts: { SUCCESS: 3, FAILED: 1 } },
    { at: '2026-03-28T23:00:00.000Z', planned: 23, conflicts: 2 },
  ],
  schedules: [
    {
      triggerId: 'hourly',
      timeZone: 'UTC',
      cron: '0 * * * *',
      total: 2,
      isEstimate: false,
      dates: ['2026-03-29T10:00:00.000Z', '2026-03-29T11:00:00.000Z'],
      isHeld: false,
    },
    { triggerId: 'each', timeZone: 'UTC', total: 1_440, isEstimate: false, everyMs: 60_000, isHeld: false },
  ],
  usualMs: 5_400_000,
  limit: 1,
  conflictCount: 2,
  conflicts: [
    {
      date: '2026-03-29T11:00:00.000Z',
      triggerId: 'hourly',
      reason: 'limit',
      outcome: 'late',
      startsAt: '2026-03-29T11:30:00.000Z',
    },
  ],
};

const aCalendar = (query: URLSearchParams, changes: Partial<Calendar> = {}): Calendar => ({
  from: query.get('from') ?? '',
  to: query.get('to') ?? '',
  now: '2026-03-27T12:00:00.000Z',
  timeZone: 'Europe/Paris',
  width: 'day',
  cellWidth: 'day',
  buckets: [
    { at: '2026-03-24T23:00:00.000Z', counts: { SUCCESS: 3, FAILED: 1 }, planned: 0, conflicts: 0 },
    {
      at: '2026-03-28T23:00:00.000Z',
      counts: {},
      planned: 23,
      load: { average: 1.4, peak: 3 },
      conflicts: 2,
    },
  ],
  flows: [flow],
  moreFlows: 0,
  isPartial: false,
  executions: [],
  offsetChanges: [{ at: '2026-03-29T01:00:00.000Z', before: 60, after: 120 }],
  ...changes,
});

const serve = (changes: Partial<Calendar> = {}) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop']),
    reply(calendar.readCalendar, ({ query }) => aCalendar(query, changes)),
  );

describe('the calendar', () => {
  it('O-9.1 O-9.3 O-9.4 shows a week with its counts, plans, load and conflicts, in the time zone of the settings', async () => {
    const server = serve();
    renderAt('/calendar?date=2026-03-27&namespace=shop');
    const past = await screen.findByRole('link', {
      name: /^nightly, Wednesday, March 25: Executions: 4 \(Success 3, Failed 1\)/,
    });
    const href = new URL(past.getAttribute('href') ?? '', 'http://x');
    expect(Object.fromEntries(href.searchParams)).toEqual({
      namespace: 'shop',
      flowId: 'nightly',
      startDate: '2026-03-24T23:00:00.000Z',
      endDate: '2026-03-25T23:00:00.000Z',
    });
    screen.getByRole('button', { name: 'nightly, Sunday, March 29: Planned: 23, Conflicts: 2' });
    screen.getByRole('img', { name: /on average 1\.4, at most 3/ });
    screen.getByText(/the clocks go forward \(UTC\+01:00 → UTC\+02:00\)/);
    const conflicts = within(screen.getByRole('region', { name: 'Conflicts' }));
    conflicts.getByText('The concurrency limit is reached · starts 30 m late');
    within(screen.getByRole('region', { name: 'Next runs' })).getByText(/^every 1 m · 1,440 ×/);
    const [request] = server.to(calendar.readCalendar);
    expect(Object.fromEntries(request!.query)).toEqual({
      from: '2026-03-22T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
      timeZone: 'Europe/Paris',
      namespace: 'shop',
    });
  });

  it('keys change the view and the period, and a day of the month opens', async () => {
    serve();
    const { user, href } = renderAt('/calendar?date=2026-03-27');
    await screen.findByRole('heading', { name: /^March 23.*29, 2026$/ });
    await user.keyboard('m');
    await screen.findByRole('heading', { name: 'March 2026' });
    await user.keyboard('n');
    await screen.findByRole('heading', { name: 'April 2026' });
    await user.keyboard('p');
    await user.click(await screen.findByRole('button', { name: /^Sunday, March 29: Planned: 23/ }));
    await screen.findByRole('heading', { name: 'Sunday, March 29, 2026' });
    expect(href()).toContain('view=day');
    await waitFor(() =>
      screen.getByRole('link', { name: /nightly, 1:00\sPM: planned by hourly · The concurrency limit/ }),
    );
  });

  it('a day shows executions as blocks, and many of them as one block per hour', async () => {
    const at = '2026-03-25T09:00:00.000Z';
    const execution = {
      id: 'e1',
      namespace: 'shop',
      flowId: 'nightly',
      state: 'FAILED' as const,
      startDate: at,
      endDate: '2026-03-25T09:02:00.000Z',
    };
    // Two schedules that run each minute are two bands, one above the other.
    const [hourly, each] = flow.schedules;
    const schedules = [hourly!, each!, { ...each!, triggerId: 'too' }];
    serve({ executions: [execution], flows: [{ ...flow, schedules }] });
    const first = renderAt('/calendar?view=day&date=2026-03-25');
    const block = await screen.findByRole('link', { name: 'nightly, 10:00 AM: Failed, 2 m' });
    expect(block.getAttribute('href')).toContain('/executions/shop/nightly/e1');
    const bands = screen.getAllByRole('link', { name: /^(each|too): every 1 m/ });
    expect(new Set(bands.map(({ style }) => style.bottom)).size).toBe(2);
    first.unmount();
    const { executions: _, ...many } = aCalendar(new URLSearchParams());
    const cells = [{ at, counts: { SUCCESS: 900 } }];
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(calendar.readCalendar, ({ query }) => ({
        ...many,
        from: query.get('from') ?? '',
        to: query.get('to') ?? '',
        flows: [{ ...flow, cells }],
      })),
    );
    renderAt('/calendar?view=day&date=2026-03-25');
    await screen.findByRole('link', { name: '10:00 AM: Executions: 900 (Success 900)' });
  });

  it('O-9.2 a tab of a flow shows the calendar of this flow, and keeps the period in its address', async () => {
    const server = fakeServer(
      reply(flows.getFlow, () => aFlowWithSource()),
      reply(flowParts.getFlowDependencies, () => ({ nodes: [], edges: [] })),
      reply(calendar.readCalendar, ({ query }) => aCalendar(query)),
    );
    const { user, href } = renderAt('/flows/edit/shop.orders/nightly/calendar?date=2026-03-27');
    await screen.findByRole('heading', { name: /^March 23.*29, 2026$/ });
    await screen.findByRole('link', { name: /^nightly, Wednesday, March 25: Executions: 4/ });
    expect(screen.queryByRole('textbox', { name: 'Flow' })).toBeNull();
    await user.keyboard('m');
    await screen.findByRole('heading', { name: 'March 2026' });
    expect(href()).toContain('/nightly/calendar?date=2026-03-27&period=month');
    for (const { query } of server.to(calendar.readCalendar))
      expect([query.get('namespace'), query.get('flowId')]).toEqual(['shop.orders', 'nightly']);
  });

  it('says when there is nothing in the period', async () => {
    serve({ flows: [], buckets: [], offsetChanges: [] });
    renderAt('/calendar');
    await screen.findByText('Nothing ran and nothing is planned');
  });
});

describe('a period', () => {
  it('is as long as its days, also when the clocks change', () => {
    const day = periodOf('day', '2026-03-29', 'Europe/Paris');
    expect(Date.parse(day.to) - Date.parse(day.from)).toBe(23 * 3_600_000);
    const month = periodOf('month', '2026-02-11', 'UTC');
    expect([month.days[0], month.days.at(-1), month.days.length]).toEqual(['2026-01-26', '2026-03-01', 35]);
    expect(periodOf('week', '2026-03-29', 'UTC').days[0]).toBe('2026-03-23');
  });

  it('moves by its own length, and refuses days that do not exist', () => {
    expect(shiftDay('month', '2026-01-31', 1)).toBe('2026-02-01');
    expect(shiftDay('week', '2026-01-01', -1)).toBe('2025-12-25');
    expect(readDay('2026-02-30')).toBeUndefined();
    expect(readDay('today')).toBeUndefined();
  });
});
