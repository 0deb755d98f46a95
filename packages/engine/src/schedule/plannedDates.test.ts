import type { TriggerDefinition } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { formatInZone } from './isoDate.ts';
import { requireZone } from './nextDate.ts';
import { collectDates, explainDate, nextDates, offsetChanges } from './plannedDates.ts';
import type { ScheduleContext } from './scheduleTrigger.ts';

const at = (text: string): number => Date.parse(text);
const paris = requireZone('Europe/Paris');
const context: ScheduleContext = {
  variables: {},
  host: { now: () => 0, random: () => 0, id: () => 'id' },
  zone: requireZone('UTC'),
  flow: { namespace: 'n', id: 'f' },
  serverZone: 'UTC',
};
const schedule = (cron: string, more: object = {}): TriggerDefinition => ({
  id: 't',
  type: 'core.trigger.Schedule',
  cron,
  timezone: 'Europe/Paris',
  ...more,
});
const next = async (trigger: TriggerDefinition, after: string, count: number) =>
  (await nextDates(trigger, at(after), count, context))?.map((date) => {
    const note = explainDate(trigger, date, 'UTC');
    return [formatInZone(date, paris), ...(note ? [Object.values(note).join(' ')] : [])].join(' ');
  });

describe('the next dates of a schedule', () => {
  it.each<[string, string, string, string[]]>([
    [
      'a time that exists every day changes its offset only',
      '0 5 * * *',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T05:00:00+01:00', '2026-03-29T05:00:00+02:00'],
    ],
    [
      'a time that the clocks skip runs at the change, and says so',
      '30 2 * * *',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T02:30:00+01:00', '2026-03-29T03:00:00+02:00 skipped 02:30', '2026-03-30T02:30:00+02:00'],
    ],
    [
      'a time that the clocks repeat runs once, and says so',
      '30 2 * * *',
      '2026-10-24T00:00:00Z',
      ['2026-10-24T02:30:00+02:00', '2026-10-25T02:30:00+02:00 once', '2026-10-26T02:30:00+01:00'],
    ],
    [
      'an hourly schedule runs in both of the repeated hours, and says so',
      '30 * * * *',
      '2026-10-24T23:00:00Z',
      [
        '2026-10-25T01:30:00+02:00',
        '2026-10-25T02:30:00+02:00 twice',
        '2026-10-25T02:30:00+01:00 twice',
        '2026-10-25T03:30:00+01:00',
      ],
    ],
    [
      'an hourly schedule misses nothing when an hour does not exist',
      '30 * * * *',
      '2026-03-29T00:00:00Z',
      ['2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00'],
    ],
  ])('[E304] [E305] %s', async (_, cron, after, expected) => {
    expect(await next(schedule(cron), after, expected.length)).toEqual(expected);
  });

  it('a zone lists the changes of its offset', () => {
    const hour = 3_600_000;
    expect(offsetChanges(paris, at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'))).toEqual([
      { at: at('2026-03-29T01:00:00Z'), beforeMs: hour, afterMs: 2 * hour },
      { at: at('2026-10-25T01:00:00Z'), beforeMs: 2 * hour, afterMs: hour },
    ]);
  });

  it('conditions exclude dates', async () => {
    const weekdays = schedule('0 5 * * *', {
      conditions: [{ type: 'core.condition.Not', conditions: [{ type: 'core.condition.Weekend' }] }],
    });
    expect(await next(weekdays, '2026-03-26T12:00:00Z', 2)).toEqual([
      '2026-03-27T05:00:00+01:00',
      '2026-03-30T05:00:00+02:00',
    ]);
    const window = { after: at('2026-03-20T12:00:00Z'), before: at('2026-03-27T12:00:00Z'), max: 10 };
    expect((await collectDates(weekdays, window, context))?.dates).toHaveLength(5);
  });

  it('a window stops at the limit and tells how far it came', async () => {
    const window = { after: at('2026-01-01T00:00:00Z') - 1, before: at('2026-01-02T00:00:00Z'), max: 60 };
    const found = await collectDates(schedule('* * * * *'), window, context);
    expect(found?.dates).toHaveLength(60);
    expect(found?.coveredUntil).toBe(at('2026-01-01T01:00:00Z'));
    const all = await collectDates(schedule('* * * * *'), { ...window, max: 5_000 }, context);
    expect(all).toMatchObject({ coveredUntil: window.before, dates: { length: 1_440 } });
  });

  it('dates that are expressions are not known in advance', async () => {
    const rendered = schedule('0 5 * * *', { timezone: '{{ vars.zone }}' });
    expect(await nextDates(rendered, 0, 3, context)).toBeUndefined();
    expect(explainDate(rendered, 0, 'UTC')).toBeUndefined();
  });
});
