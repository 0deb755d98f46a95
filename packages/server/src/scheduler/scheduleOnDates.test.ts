import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { aServerAt, datesOf, executionsOf, iso, logsOf, rowOf } from './testing/scheduledFlows.ts';

describe.each(databases)('dates that are expressions on $name', (database) => {
  const onDates = (dates: string, more = '') =>
    `${more}triggers:\n  - id: daily\n    type: core.trigger.ScheduleOnDates\n    dates: ${dates}\n`;

  it('[E328] are rendered when the flow is saved and after each date', async () => {
    const { server, goTo } = await aServerAt(database);
    const variables =
      'variables:\n  first: 2025-03-02T08:00:00Z\n  all: ["2025-03-03T08:00:00", "2025-02-01T08:00:00"]\n';
    const id = anId();
    await server.saveFlow(
      aFlow(
        id,
        `${onDates('["{{ vars.first }}", "{{ vars.all }}"]', variables)}    timezone: "{{ 'Europe/Paris' }}"\n`,
      ),
    );
    await goTo('2025-03-01T00:00:01Z');
    expect(await executionsOf(server, id)).toEqual([]);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T08:00:00.000Z');
    await goTo('2025-03-02T08:00:00Z');
    await expect.poll(() => datesOf(server, id)).toEqual(['2025-03-02T09:00:00+01:00']);
    await expect.poll(async () => (await rowOf(server, id))?.executionId).toBeUndefined();
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-03T07:00:00.000Z');
    await goTo('2025-03-03T07:00:00Z');
    await expect.poll(() => datesOf(server, id)).toHaveLength(2);
    await expect.poll(async () => (await rowOf(server, id))?.nextAt).toBeUndefined();
  });

  it('[E328] are reported when they cannot be rendered, and rendered again a minute later', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, onDates('"{{ kv(\'dates\') }}"')));
    await server.call('PUT', '/namespaces/company.team/kv/dates', { payload: '"soon"' });
    await goTo('2025-03-01T00:00:01Z');
    expect((await logsOf(server, id)).join()).toContain('but rendered to "soon"');
    await server.call('PUT', '/namespaces/company.team/kv/dates', { payload: '["2025-03-02T08:00:00Z"]' });
    await goTo('2025-03-01T00:01:02Z');
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T08:00:00.000Z');
  });
});
