import type { Calendar, ScheduleDates } from '@millrace/contract';
import { anExecution, insert } from '@millrace/store/suite';
import { describe, expect, it } from 'vitest';
import { anId, sharedServer, type TestServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const now = Date.parse('2026-03-26T12:00:00Z');
const minute = 60_000;

const source = (namespace: string, id: string, more = '') =>
  `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - { id: t, type: core.debug.Return, format: x }\n${more}`;
const schedules = (...triggers: string[]) =>
  `triggers:\n${triggers.map((each) => `  - { type: core.trigger.Schedule, ${each} }\n`).join('')}`;

describe.each(databases)('the calendar on $name', (database) => {
  const shared = sharedServer(database, { clock: () => now });

  const read = async (server: TestServer, query: Record<string, string>): Promise<Calendar> => {
    const { status, body } = await server.call('GET', `/calendar?${new URLSearchParams(query)}`);
    expect(body, JSON.stringify(body)).toHaveProperty('buckets');
    expect(status).toBe(200);
    return body as unknown as Calendar;
  };
  const ran = (
    server: TestServer,
    namespace: string,
    flowId: string,
    starts: readonly number[],
    durationMs = minute,
  ) =>
    server.product.store.commit(
      starts.map((start, index) => {
        const execution = anExecution({
          id: `${anId()}-${index}`,
          namespace,
          flowId,
          state: 'SUCCESS',
          start,
        });
        const histories = [
          { state: 'CREATED' as const, date: start },
          { state: 'SUCCESS' as const, date: start + durationMs },
        ];
        return insert({
          ...execution,
          closedAt: start + durationMs,
          state: { current: 'SUCCESS', histories },
        });
      }),
    );

  it('O-9.1 O-9.3 O-9.4 has what ran and what runs next, with the load and the conflicts that usual durations lead to', async () => {
    const [server, namespace] = [shared(), `calendar.${anId()}`];
    const two = schedules('id: hourly, cron: "0 * * * *"', 'id: half, cron: "30 * * * *"');
    await server.saveFlow(source(namespace, 'etl', `concurrency: { limit: 1, behavior: QUEUE }\n${two}`));
    await server.saveFlow(source(`${namespace}.child`, 'idle'));
    await ran(server, namespace, 'etl', [now - 5 * 60 * minute, now - 90 * minute], 45 * minute);
    const day = { from: '2026-03-26T00:00:00Z', to: '2026-03-27T00:00:00Z', namespace };
    const calendar = await read(server, day);
    expect(calendar).toMatchObject({ width: 'hour', cellWidth: 'hour', moreFlows: 0, isPartial: false });
    expect(calendar.buckets).toHaveLength(24);
    expect(calendar.executions).toHaveLength(2);
    expect(calendar.buckets[7]).toMatchObject({
      at: '2026-03-26T07:00:00.000Z',
      counts: { SUCCESS: 1 },
      planned: 0,
    });
    expect(calendar.buckets[7]).not.toHaveProperty('load');
    const [flow, ...others] = calendar.flows;
    expect(others).toEqual([]);
    expect(flow).toMatchObject({ flowId: 'etl', counts: { SUCCESS: 2 }, usualMs: 45 * minute, limit: 1 });
    expect(flow?.schedules.map(({ triggerId, total, everyMs }) => [triggerId, total, everyMs])).toEqual([
      ['half', 12, 60 * minute],
      ['hourly', 11, 60 * minute],
    ]);
    // The execution of 12:30 usually ends at 13:15, so the one of 13:00 waits for it.
    expect(flow?.conflicts[0]).toEqual({
      date: '2026-03-26T13:00:00.000Z',
      triggerId: 'hourly',
      reason: 'limit',
      outcome: 'late',
      startsAt: '2026-03-26T13:15:00.000Z',
    });
    expect(calendar.buckets[20]).toMatchObject({ planned: 2, load: { average: 1, peak: 1 }, conflicts: 2 });
  });

  it('folds dense schedules, and counts days by the calendar of the time zone', async () => {
    const [server, namespace] = [shared(), `calendar.${anId()}`];
    await server.saveFlow(source(namespace, 'busy', schedules('id: each, cron: "* * * * *"')));
    const calendar = await read(server, {
      from: '2026-03-26T23:00:00Z',
      to: '2026-04-02T22:00:00Z',
      timeZone: 'Europe/Paris',
      namespace,
      flowId: 'busy',
    });
    expect(calendar).toMatchObject({ width: 'hour', cellWidth: 'day' });
    expect(calendar.offsetChanges).toEqual([{ at: '2026-03-29T01:00:00.000Z', before: 60, after: 120 }]);
    const [flow] = calendar.flows;
    expect(flow?.schedules).toMatchObject([{ total: 7 * 1_440 - 60, isEstimate: false, everyMs: minute }]);
    expect(flow?.schedules[0]).not.toHaveProperty('dates');
    expect(flow?.cells.map(({ planned }) => planned)).toEqual([
      1_440, 1_440, 1_380, 1_440, 1_440, 1_440, 1_440,
    ]);
  });

  it('aggregates many executions instead of listing them', async () => {
    const [server, namespace] = [shared(), `calendar.${anId()}`];
    await server.saveFlow(source(namespace, 'many'));
    await ran(
      server,
      namespace,
      'many',
      Array.from({ length: 301 }, (_, index) => now - (index + 1) * minute),
    );
    const day = { from: '2026-03-26T00:00:00Z', to: '2026-03-27T00:00:00Z', namespace };
    const calendar = await read(server, day);
    expect(calendar).not.toHaveProperty('executions');
    expect(calendar.flows[0]).toMatchObject({ counts: { SUCCESS: 301 } });
    expect(calendar.flows[0]?.cells.at(-1)).toMatchObject({
      at: '2026-03-26T11:00:00.000Z',
      counts: { SUCCESS: 60 },
    });
  });

  it('leaves out disabled schedules, and refuses a window that it cannot show', async () => {
    const [server, namespace] = [shared(), `calendar.${anId()}`];
    await server.saveFlow(
      source(namespace, 'off', schedules('id: never, cron: "0 * * * *", disabled: true')),
    );
    await server.saveFlow(source(namespace, 'out', schedules('id: later, cron: "0 * * * *"')));
    await server.call('PUT', '/triggers', {
      payload: { namespace, flowId: 'out', triggerId: 'later', disabled: true },
    });
    const month = { from: '2026-03-26T00:00:00Z', to: '2026-04-26T00:00:00Z' };
    const calendar = await read(server, { ...month, namespace });
    expect(calendar).toMatchObject({ width: 'day', flows: [] });
    const refused = async (query: Record<string, string>) =>
      (await server.call('GET', `/calendar?${new URLSearchParams({ ...month, ...query })}`)).status;
    expect(await refused({ to: '2026-06-01T00:00:00Z' })).toBe(422);
    expect(await refused({ to: '2026-03-01T00:00:00Z' })).toBe(422);
    expect(await refused({ timeZone: 'Nowhere/Land' })).toBe(422);
    expect([400, 422]).toContain(await refused({ from: 'yesterday' }));
  });

  it('O-9.5 O-9.6 lists the next dates of a schedule in its time zone, and explains the change of the clocks', async () => {
    const [server, namespace] = [shared(), `calendar.${anId()}`];
    const night = 'id: night, cron: "30 2 * * *", timezone: Europe/Paris';
    const hook = '  - { id: hook, type: core.trigger.Webhook, key: a-long-key-of-a-hook }\n';
    await server.saveFlow(source(namespace, 'nightly', schedules(night) + hook));
    const dates = async (trigger: string, query = '') =>
      server.call('GET', `/triggers/${namespace}/nightly/${trigger}/dates${query}`);
    const body = (await dates('night')).body as unknown as ScheduleDates;
    expect(body).toMatchObject({ timeZone: 'Europe/Paris', state: 'planned', dates: { length: 10 } });
    expect(body.dates.slice(1, 4)).toEqual([
      { date: '2026-03-28T02:30:00+01:00', isNewOffset: false },
      { date: '2026-03-29T03:00:00+02:00', isNewOffset: true, note: 'skipped', localTime: '02:30' },
      { date: '2026-03-30T02:30:00+02:00', isNewOffset: false },
    ]);
    expect(body.offsetChanges).toEqual([{ at: '2026-03-29T01:00:00.000Z', before: 60, after: 120 }]);
    expect((await dates('night', '?count=101')).status).toBe(422);
    expect((await dates('hook')).status).toBe(422);
    expect((await dates('none')).status).toBe(404);
    await server.call('PUT', '/triggers', {
      payload: { namespace, flowId: 'nightly', triggerId: 'night', disabled: true },
    });
    expect((await dates('night')).body).toMatchObject({ state: 'disabled' });
  });
});
