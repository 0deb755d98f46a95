import type { TriggerDefinition } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { remainingMs } from './backfillProgress.ts';
import { requireZone } from './nextDate.ts';
import {
  correctClock,
  countExecution,
  evaluateSchedule,
  newTriggerState,
  recoverMissed,
  releaseTrigger,
  type ScheduleContext,
} from './scheduleTrigger.ts';
import {
  deleteBackfill,
  disableTrigger,
  enableTrigger,
  pauseBackfill,
  requireDates,
  startBackfill,
} from './switchTrigger.ts';
import type { TriggerState } from './triggerState.ts';

const at = (text: string): number => Date.parse(text);
const iso = (date: number | undefined) => (date === undefined ? undefined : new Date(date).toISOString());
const context: ScheduleContext = {
  variables: {},
  host: { now: () => 0, random: () => 0, id: () => 'id' },
  zone: requireZone('UTC'),
  flow: { namespace: 'n', id: 'f' },
  serverZone: 'UTC',
};
const daily = (more: object = {}): TriggerDefinition => ({
  id: 't',
  type: 'io.kestra.plugin.core.trigger.Schedule',
  cron: '0 2 * * *',
  ...more,
});
const state = (nextAt: string, more: Partial<TriggerState> = {}): TriggerState => ({
  disabled: false,
  nextAt: at(nextAt),
  ...more,
});

describe('evaluateSchedule', () => {
  it('[E320] fires at its date with the dates around it, and moves on', async () => {
    const paris = daily({ timezone: 'Europe/Paris' });
    const decision = await evaluateSchedule(
      paris,
      state('2025-03-01T01:00:00Z'),
      at('2025-03-01T01:00:00.5Z'),
      context,
    );
    expect(decision.fire).toEqual({
      date: at('2025-03-01T01:00:00Z'),
      variables: {
        date: '2025-03-01T02:00:00+01:00',
        next: '2025-03-02T02:00:00+01:00',
        previous: '2025-02-28T02:00:00+01:00',
      },
    });
    expect(iso(decision.state.nextAt)).toBe('2025-03-02T01:00:00.000Z');
    expect(iso(decision.state.evaluatedAt)).toBe('2025-03-01T01:00:00.000Z');
  });

  it.each<[string, TriggerState]>([
    ['before its date', state('2025-03-01T02:00:00Z')],
    ['while its execution runs', state('2025-02-28T02:00:00Z', { executionId: 'e' })],
    ['while disabled', state('2025-02-28T02:00:00Z', { disabled: true })],
    ['without a next date', { disabled: false }],
  ])('[E320] does nothing %s', async (_, before) => {
    const decision = await evaluateSchedule(daily(), before, at('2025-03-01T01:00:00Z'), context);
    expect(decision).toEqual({ state: before });
  });

  it('[E320] fires beside its running execution when that is allowed', async () => {
    const running = state('2025-03-01T02:00:00Z', { executionId: 'e' });
    const decision = await evaluateSchedule(
      daily({ allowConcurrent: true }),
      running,
      at('2025-03-01T02:00:00Z'),
      context,
    );
    expect(decision.fire).toBeDefined();
  });

  it('[E325] passes over a date at which its conditions fail, and shows the dates at which they hold', async () => {
    const conditions = [{ type: 'core.condition.DayWeek', dayOfWeek: 'MONDAY' }];
    const onMondays = daily({ conditions });
    const sunday = await evaluateSchedule(
      onMondays,
      state('2025-03-02T02:00:00Z'),
      at('2025-03-02T03:00:00Z'),
      context,
    );
    expect(sunday.fire).toBeUndefined();
    expect(iso(sunday.state.nextAt)).toBe('2025-03-03T02:00:00.000Z');
    const monday = await evaluateSchedule(onMondays, sunday.state, at('2025-03-03T03:00:00Z'), context);
    expect(monday.fire?.variables).toEqual({
      date: '2025-03-03T02:00:00Z',
      next: '2025-03-10T02:00:00Z',
      previous: '2025-02-24T02:00:00Z',
    });
    const old = daily({ scheduleConditions: conditions });
    expect(
      (await evaluateSchedule(old, state('2025-03-02T02:00:00Z'), at('2025-03-02T03:00:00Z'), context)).fire,
    ).toBe(undefined);
  });

  it('[E325] a condition that never holds again ends the search', async () => {
    const never = daily({
      cron: '* * * * * *',
      withSeconds: true,
      conditions: [{ type: 'core.condition.DateTimeBetween', before: '2025-03-02T02:00:01Z' }],
    });
    const decision = await evaluateSchedule(
      never,
      state('2025-03-02T02:00:00Z'),
      at('2025-03-02T02:00:00Z'),
      context,
    );
    expect(decision.fire?.variables.next).toBeUndefined();
  });

  it('[E326] a condition that cannot be evaluated is a visible failure, and the schedule continues', async () => {
    const broken = daily({ conditions: [{ type: 'core.condition.Expression', expression: '{{ nope }}' }] });
    const decision = await evaluateSchedule(
      broken,
      state('2025-03-01T02:00:00Z'),
      at('2025-03-01T02:00:00Z'),
      context,
    );
    expect(String(decision.failure?.error)).toContain('nope');
    expect(iso(decision.state.nextAt)).toBe('2025-03-02T02:00:00.000Z');
  });

  it('[E325] an expression sees the date that is tried, also for the dates around it', async () => {
    const even = daily({
      conditions: [
        {
          type: 'core.condition.Expression',
          expression: '{{ trigger.date | date("d") | number("INT") % 2 == 0 }}',
        },
      ],
    });
    const decision = await evaluateSchedule(
      even,
      state('2025-03-04T02:00:00Z'),
      at('2025-03-04T02:00:00Z'),
      context,
    );
    expect(decision.failure).toBeUndefined();
    expect(decision.fire?.variables).toEqual({
      date: '2025-03-04T02:00:00Z',
      next: '2025-03-06T02:00:00Z',
      previous: '2025-03-02T02:00:00Z',
    });
  });

  it('[E323] passes over dates that are later than allowed', async () => {
    const impatient = daily({ lateMaximumDelay: 'PT1H' });
    const decision = await evaluateSchedule(
      impatient,
      state('2025-03-01T02:00:00Z'),
      at('2025-03-03T04:00:00Z'),
      context,
    );
    expect(decision.fire).toBeUndefined();
    expect(iso(decision.state.nextAt)).toBe('2025-03-04T02:00:00.000Z');
    const punctual = await evaluateSchedule(
      impatient,
      state('2025-03-01T02:00:00Z'),
      at('2025-03-03T02:30:00Z'),
      context,
    );
    expect(iso(punctual.fire?.date)).toBe('2025-03-03T02:00:00.000Z');
  });

  it('[E327] listed dates fire once each and then no more', async () => {
    const listed: TriggerDefinition = {
      id: 't',
      type: 'core.trigger.ScheduleOnDates',
      timezone: 'Europe/Paris',
      dates: ['2025-03-02T10:00:00', '2025-03-01T10:00:00+00:00'],
    };
    let current = newTriggerState(listed, at('2025-03-01T00:00:00Z'), 'UTC');
    expect(iso(current.nextAt)).toBe('2025-03-01T10:00:00.000Z');
    const first = await evaluateSchedule(listed, current, at('2025-03-01T10:00:00Z'), context);
    expect(first.fire?.variables).toEqual({
      date: '2025-03-01T11:00:00+01:00',
      next: '2025-03-02T10:00:00+01:00',
    });
    current = (await evaluateSchedule(listed, first.state, at('2025-03-02T09:00:00Z'), context)).state;
    expect(current.nextAt).toBeUndefined();
  });
});

describe('missed dates', () => {
  const missed = state('2025-03-01T02:00:00Z', { evaluatedAt: at('2025-02-28T02:00:00Z') });
  const now = at('2025-03-05T12:00:00Z');
  it.each([
    ['ALL', '2025-03-01T02:00:00.000Z'],
    ['LAST', '2025-03-05T02:00:00.000Z'],
    ['NONE', '2025-03-06T02:00:00.000Z'],
  ])('[E322] %s continues with %s', (recoverMissedSchedules, expected) => {
    expect(iso(recoverMissed(daily({ recoverMissedSchedules }), missed, now, context).nextAt)).toBe(expected);
    const running = { ...missed, executionId: 'e' };
    const released = releaseTrigger(daily({ recoverMissedSchedules }), running, 'SUCCESS', now, context);
    expect(released).toMatchObject({ disabled: false });
    expect(released.executionId).toBeUndefined();
    expect(iso(released.nextAt)).toBe(expected);
  });

  it('[E324] stopAfter disables the trigger', () => {
    const stopping = daily({ stopAfter: ['FAILED'] });
    expect(releaseTrigger(stopping, { ...missed, executionId: 'e' }, 'FAILED', now, context)).toMatchObject({
      disabled: true,
    });
    expect(releaseTrigger(stopping, missed, 'SUCCESS', now, context).disabled).toBe(false);
  });

  it('[E340] [E341] disabling waits for nothing; enabling starts as missed dates are recovered', () => {
    const off = disableTrigger(missed);
    expect(off).toMatchObject({ disabled: true });
    expect(off.nextAt).toBeUndefined();
    expect(iso(enableTrigger(daily(), off, now, context).nextAt)).toBe('2025-03-06T02:00:00.000Z');
    const last = daily({ recoverMissedSchedules: 'LAST' });
    expect(iso(enableTrigger(last, off, now, context).nextAt)).toBe('2025-03-05T02:00:00.000Z');
  });
});

describe('backfill', () => {
  const now = at('2025-03-05T12:00:00Z');
  const idle = state('2025-03-06T02:00:00Z');
  const begin = (start: string, end?: string) =>
    startBackfill(
      daily(),
      idle,
      { start: at(start), ...(end && { end: at(end) }), inputs: { a: 1 } },
      now,
      'UTC',
    );

  it('[E330] runs each date from its start to its end, both included, and then the schedule continues', async () => {
    let current = begin('2025-03-01T02:00:00Z', '2025-03-03T02:00:00Z');
    const fired: (string | undefined)[] = [];
    while (current.backfill) {
      const decision = await evaluateSchedule(daily({ lateMaximumDelay: 'PT1S' }), current, now, context);
      expect(decision.fire?.inputs).toEqual({ a: 1 });
      fired.push(iso(decision.fire?.date)?.slice(0, 10));
      current = decision.state;
    }
    expect(fired).toEqual(['2025-03-01', '2025-03-02', '2025-03-03']);
    expect(iso(current.nextAt)).toBe('2025-03-06T02:00:00.000Z');
  });

  it('[E331] ends now by default, refuses a start after its end, and is nothing without a date', () => {
    expect(begin('2025-03-01T00:00:00Z').backfill?.end).toBe(now);
    expect(() => begin('2025-03-09T00:00:00Z', '2025-03-08T00:00:00Z')).toThrow('cannot start after its end');
    expect(begin('2025-03-05T03:00:00Z', '2025-03-05T04:00:00Z')).toBe(idle);
  });

  it('[E341] enabling continues with the backfill and then with the next date', async () => {
    const off = disableTrigger(begin('2025-03-01T00:00:00Z', '2025-03-01T12:00:00Z'));
    const later = at('2025-03-09T12:00:00Z');
    const on = enableTrigger(daily(), off, later, context);
    expect(iso(on.nextAt)).toBe('2025-03-01T02:00:00.000Z');
    const decision = await evaluateSchedule(daily(), on, later, context);
    expect(iso(decision.fire?.date)).toBe('2025-03-01T02:00:00.000Z');
    expect(decision.state.backfill).toBeUndefined();
    expect(iso(decision.state.nextAt)).toBe('2025-03-10T02:00:00.000Z');
  });

  it('[E332] pauses, continues where it was, and can be deleted', async () => {
    const running = begin('2025-03-01T00:00:00Z');
    const dates = requireDates(daily(), 'UTC');
    const paused = pauseBackfill(running, true, dates, now);
    expect((await evaluateSchedule(daily(), paused, now, context)).fire).toBeUndefined();
    expect(pauseBackfill(paused, false, dates, now).nextAt).toBe(running.nextAt);
    expect(deleteBackfill(paused)).toEqual(idle);
    expect(() => deleteBackfill(idle)).toThrow('no backfill');
  });
});

describe('the progress of a backfill', () => {
  const start = at('2025-03-05T12:00:00Z');
  const minute = 60_000;
  const begin = () =>
    startBackfill(
      daily(),
      state('2025-03-06T02:00:00Z'),
      { start: at('2025-03-01T00:00:00Z') },
      start,
      'UTC',
    );
  const run = async (from: TriggerState, now: number) =>
    countExecution((await evaluateSchedule(daily(), from, now, context)).state);
  const remaining = ({ backfill }: TriggerState, now: number, isMoving: boolean) =>
    backfill?.progress && remainingMs(backfill.progress, now, isMoving);

  it('[E330] counts dates and executions, and the pace tells the remaining time', async () => {
    const started = begin();
    expect(started.backfill?.progress).toEqual({ total: 5, done: 0, executions: 0, movedAt: start });
    const first = await run(started, start + 1_000);
    expect(remaining(first, start, true)).toBeUndefined();
    const second = await run(first, start + 1_000 + 2 * minute);
    expect(second.backfill?.progress).toMatchObject({ done: 2, executions: 2, msPerDate: 2 * minute });
    expect(remaining(second, start + 1_000 + 3 * minute, true)).toBe(5 * minute);
  });

  it('[E332] the time of a pause does not change the pace', async () => {
    const two = await run(await run(begin(), start), start + 2 * minute);
    const dates = requireDates(daily(), 'UTC');
    const paused = pauseBackfill(two, true, dates, start + 3 * minute);
    expect(remaining(paused, start + 99 * minute, false)).toBe(6 * minute);
    const resumed = pauseBackfill(paused, false, dates, start + 99 * minute);
    const third = await run(resumed, start + 101 * minute);
    expect(third.backfill?.progress).toMatchObject({ done: 3, msPerDate: 2 * minute });
  });
});

describe('a clock that was ahead', () => {
  it('[E355] continues with the next date from now, wherever the clock jumps and comes back to', async () => {
    const crons = ['0 2 * * *', '*/5 * * * *', '0 0 1 * *', '30 1 * * 0', '@hourly'];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round++) {
      const trigger = daily({ cron: crons[random(crons.length)], timezone: 'Europe/Paris' });
      const start = at('2025-01-01T00:00:00Z') + random(365 * 86_400) * 1_000;
      const ahead = start + random(60 * 86_400) * 1_000;
      const back = start + random(86_400) * 1_000;
      let known = newTriggerState(trigger, start, 'UTC');
      for (let fired = 0; fired < 5 && (known.nextAt ?? 0) <= ahead; fired++)
        known = (await evaluateSchedule(trigger, known, ahead, context)).state;
      const corrected = correctClock(trigger, known, back, 'UTC');
      const real = newTriggerState(trigger, back, 'UTC').nextAt ?? 0;
      const soon = newTriggerState(trigger, back + 60_000, 'UTC').nextAt ?? 0;
      expect(corrected.nextAt, `round ${round}`).toBeLessThanOrEqual(soon);
      if ((known.nextAt ?? 0) > soon) expect(iso(corrected.nextAt)).toBe(iso(real));
      else expect(corrected).toBe(known);
      // Correcting twice changes nothing more.
      expect(correctClock(trigger, corrected, back, 'UTC')).toBe(corrected);
    }
  });

  it('[E355] leaves backfills, disabled triggers and correct dates alone', () => {
    const now = at('2025-03-01T12:00:00Z');
    const right = state('2025-03-02T02:00:00Z');
    const off = { ...state('2025-04-01T02:00:00Z'), disabled: true };
    expect(correctClock(daily(), right, now, 'UTC')).toBe(right);
    expect(correctClock(daily(), off, now, 'UTC')).toBe(off);
    const late = correctClock(daily(), state('2025-04-01T02:00:00Z'), now, 'UTC');
    expect(iso(late.nextAt)).toBe('2025-03-02T02:00:00.000Z');
  });
});
