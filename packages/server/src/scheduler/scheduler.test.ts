import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, stateOf, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { openDoor } from '../testing/testTasks.ts';
import {
  aServerAt,
  atDoor,
  daily,
  datesOf,
  executionsOf,
  iso,
  logsOf,
  rowOf,
} from './testing/scheduledFlows.ts';

describe.each(databases)('schedules on $name', (database) => {
  it('[E320] starts one execution at its date, with dates, inputs and labels, and moves on', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const more =
      '    inputs: { day: "{{ trigger.date }}", count: "4" }\n    labels: { on: "{{ flow.id }}" }\n';
    const inputs = 'inputs:\n  - { id: day, type: STRING }\n  - { id: count, type: INT }\n';
    await server.saveFlow(aFlow(id, inputs + daily(`    timezone: Europe/Paris\n${more}`)));
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-01T01:00:00.000Z');
    await goTo('2025-03-01T00:59:59Z');
    expect(await executionsOf(server, id)).toEqual([]);
    await goTo('2025-03-01T01:00:00Z');
    const [execution] = await executionsOf(server, id);
    expect(execution).toMatchObject({
      inputs: { day: '2025-03-01T02:00:00+01:00', count: 4 },
      labels: expect.arrayContaining([{ key: 'on', value: id }]),
      trigger: {
        id: 'daily',
        type: 'core.trigger.Schedule',
        variables: {
          date: '2025-03-01T02:00:00+01:00',
          next: '2025-03-02T02:00:00+01:00',
          previous: '2025-02-28T02:00:00+01:00',
        },
      },
    });
    await server.waitForState(String(execution?.id), 'SUCCESS');
    await expect.poll(async () => (await rowOf(server, id))?.executionId).toBeUndefined();
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T01:00:00.000Z');
    await goTo('2025-03-01T01:00:01Z');
    expect(await executionsOf(server, id)).toHaveLength(1);
  });

  it('[A36] starts one execution per slot across restarts, however often it looks', async () => {
    const { server, goTo, moveTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily()));
    for (const day of [1, 2, 3]) {
      moveTo(`2025-03-0${day}T02:00:00Z`);
      const { scheduler } = server.product;
      await Promise.all([scheduler.runDue(), scheduler.runDue(), scheduler.runDue()]);
      await expect.poll(() => executionsOf(server, id)).toHaveLength(day);
      await server.reopen();
      await goTo(`2025-03-0${day}T02:00:01Z`);
    }
    expect(await datesOf(server, id)).toEqual([
      '2025-03-01T02:00:00Z',
      '2025-03-02T02:00:00Z',
      '2025-03-03T02:00:00Z',
    ]);
  });

  it('[E320] waits for the end of its execution, also when that is deleted', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily('', atDoor(id))));
    await goTo('2025-03-01T02:00:00Z');
    await goTo('2025-03-02T02:00:00Z');
    const [first] = await executionsOf(server, id);
    // The lock outlives the server that took it.
    await server.reopen();
    await server.product.scheduler.runDue();
    expect(await rowOf(server, id)).toMatchObject({ executionId: first?.id });
    expect(await executionsOf(server, id)).toHaveLength(1);
    await server.call('DELETE', `/executions/${String(first?.id)}`);
    await expect.poll(() => datesOf(server, id)).toEqual(['2025-03-02T02:00:00Z']);
    openDoor(id);
  });

  it('runs beside itself when told to', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily('    allowConcurrent: true\n', atDoor(id))));
    await goTo('2025-03-01T02:00:00Z');
    await goTo('2025-03-02T02:00:00Z');
    expect(await datesOf(server, id)).toEqual(['2025-03-01T02:00:00Z', '2025-03-02T02:00:00Z']);
    openDoor(id);
  });

  it('releases the lock of an execution that ended while no server ran', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily()));
    const row = await rowOf(server, id);
    if (!row) throw new Error('The flow was just saved.');
    await server.product.store.commit([{ op: 'trigger.put', trigger: { ...row, executionId: 'vanished' } }]);
    await server.reopen();
    await goTo('2025-03-01T02:00:00Z');
    await expect.poll(() => executionsOf(server, id)).toHaveLength(1);
  });

  it('[E324] an end listed in stopAfter switches it off', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const failing = 'tasks:\n  - id: x\n    type: test.Throw\n';
    await server.saveFlow(aFlow(id, daily('    stopAfter: [FAILED]\n', failing)));
    await goTo('2025-03-01T02:00:00Z');
    await expect.poll(() => rowOf(server, id)).toMatchObject({ disabled: true });
    expect((await rowOf(server, id))?.nextAt).toBeUndefined();
  });

  it.each([
    ['ALL', ['01', '02', '03']],
    ['LAST', ['03']],
    ['NONE', []],
  ])('[E322] %s makes up for the dates missed while the server was down', async (policy, days) => {
    const { server, moveTo, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily(`    recoverMissedSchedules: ${policy}\n`)));
    moveTo('2025-03-03T12:00:00Z');
    await server.reopen();
    const expected = days.map((day) => `2025-03-${day}T02:00:00Z`);
    await expect.poll(() => datesOf(server, id)).toEqual(expected);
    await expect.poll(async () => (await rowOf(server, id))?.executionId).toBeUndefined();
    await expect.poll(async () => iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-04T02:00:00.000Z');
    await goTo('2025-03-04T02:00:00Z');
    await expect.poll(() => datesOf(server, id)).toEqual([...expected, '2025-03-04T02:00:00Z']);
  });

  it.each([
    ['while the server runs', false],
    ['before the server starts again', true],
  ])('[E355] after a clock that was ahead is corrected %s, the real next date runs', async (_, restarts) => {
    const { server, goTo, moveTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily('    timezone: UTC\n    allowConcurrent: true\n')));
    await goTo('2025-03-09T12:00:00Z');
    const early = (await datesOf(server, id)).length;
    expect(early).toBe(9);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-10T02:00:00.000Z');
    moveTo('2025-03-01T12:00:00Z');
    if (restarts) await server.reopen();
    await goTo('2025-03-01T12:00:01Z');
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T02:00:00.000Z');
    // Dates that ran already are passed over, without an execution.
    await goTo('2025-03-02T02:00:00Z');
    expect(await datesOf(server, id)).toHaveLength(early);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-03T02:00:00.000Z');
    await goTo('2025-03-10T02:00:00Z');
    expect(await datesOf(server, id)).toHaveLength(early + 1);
  });

  it('[A36] a clock that is set ahead and back again fires no slot twice, and what is saved then is not missed', async () => {
    const { server, goTo, moveTo } = await aServerAt(database);
    const [before, after] = [anId(), anId()];
    const sparing = daily('    recoverMissedSchedules: NONE\n');
    await server.saveFlow(aFlow(before, daily()));
    await goTo('2025-03-01T02:00:00Z');
    await goTo('2025-03-02T12:00:00Z');
    const made = ['2025-03-01T02:00:00Z', '2025-03-02T02:00:00Z'];
    await expect.poll(() => datesOf(server, before)).toEqual(made);
    moveTo('2025-03-02T01:57:00Z');
    await server.saveFlow(aFlow(after, sparing));
    await goTo('2025-03-02T02:00:00Z');
    await expect.poll(() => datesOf(server, after)).toEqual(['2025-03-02T02:00:00Z']);
    await expect.poll(() => datesOf(server, before)).toEqual(made);
    await goTo('2025-03-03T02:00:00Z');
    await expect.poll(() => datesOf(server, before)).toEqual([...made, '2025-03-03T02:00:00Z']);
  });

  it('[E323] passes over dates that are later than lateMaximumDelay', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily('    lateMaximumDelay: PT1H\n')));
    await goTo('2025-03-02T12:00:00Z');
    expect(await executionsOf(server, id)).toEqual([]);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-03T02:00:00.000Z');
  });

  it('[E325] passes over dates at which a condition does not hold', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const sunday = '    conditions:\n      - { type: core.condition.DayWeek, dayOfWeek: SUNDAY }\n';
    await server.saveFlow(aFlow(id, daily(sunday)));
    await goTo('2025-03-01T02:00:00Z');
    expect(await executionsOf(server, id)).toEqual([]);
    await goTo('2025-03-02T02:00:00Z');
    const [execution] = await executionsOf(server, id);
    expect(execution?.trigger).toMatchObject({
      variables: { next: '2025-03-09T02:00:00Z', previous: '2025-02-23T02:00:00Z' },
    });
  });

  it('[E325] passes over dates for which when is not true', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily("    when: \"{{ trigger.date | date('d') == '2' }}\"\n")));
    await goTo('2025-03-01T02:00:00Z');
    expect(await executionsOf(server, id)).toEqual([]);
    await goTo('2025-03-02T02:00:00Z');
    expect(await executionsOf(server, id)).toHaveLength(1);
  });

  it('[E326] shows conditions that cannot be evaluated as a failed execution, and continues', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const broken = '    conditions:\n      - { type: core.condition.Expression, expression: "{{ nope }}" }\n';
    await server.saveFlow(aFlow(id, daily(broken)));
    await goTo('2025-03-01T02:00:00Z');
    const [execution] = await executionsOf(server, id);
    expect(stateOf(execution ?? {})).toBe('FAILED');
    const { body } = await server.call('GET', `/logs/${String(execution?.id)}`);
    expect(body).toMatchObject([{ level: 'ERROR', message: expect.stringContaining('nope') }]);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T02:00:00.000Z');
    await goTo('2025-03-02T02:00:00Z');
    expect(await executionsOf(server, id)).toHaveLength(2);
  });

  it('says in the log when the inputs do not fit, and starts nothing for that date', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const inputs = 'inputs:\n  - { id: count, type: INT }\n';
    await server.saveFlow(aFlow(id, inputs + daily('    inputs: { count: many }\n')));
    await goTo('2025-03-01T02:00:00Z');
    expect(await executionsOf(server, id)).toEqual([]);
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-02T02:00:00.000Z');
    expect((await logsOf(server, id)).join()).toContain('Invalid input for `count`');
  });

  it('[E327] starts once on each listed date', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    const dates = 'dates: ["2025-03-01T10:00:00Z", "2025-03-02T10:00:00Z"]';
    await server.saveFlow(
      aFlow(id, `triggers:\n  - id: daily\n    type: core.trigger.ScheduleOnDates\n    ${dates}\n`),
    );
    await goTo('2025-03-01T10:00:00Z');
    await expect.poll(async () => (await rowOf(server, id))?.executionId).toBeUndefined();
    await goTo('2025-03-02T11:00:00Z');
    await expect.poll(() => datesOf(server, id)).toEqual(['2025-03-01T10:00:00Z', '2025-03-02T10:00:00Z']);
    expect((await rowOf(server, id))?.nextAt).toBeUndefined();
  });

  it('[E321] follows its flow: changed, removed, switched off and on again, deleted', async () => {
    const { server, moveTo, goTo } = await aServerAt(database);
    const id = anId();
    const save = (text: string) => server.call('PUT', `/flows/company.team/${id}`, yaml(text));
    const next = async () => iso((await rowOf(server, id))?.nextAt);
    await server.saveFlow(aFlow(id, daily()));
    await save(aFlow(id, `description: other\n${daily()}`));
    expect(await next()).toBe('2025-03-01T02:00:00.000Z');
    await save(aFlow(id, daily().replace('0 2', '0 5')));
    expect(await next()).toBe('2025-03-01T05:00:00.000Z');
    await save(aFlow(id, `disabled: true\n${daily().replace('0 2', '0 5')}`));
    expect(await next()).toBeUndefined();
    moveTo('2025-03-05T00:00:00Z');
    await save(aFlow(id, daily().replace('0 2', '0 5')));
    expect(await next()).toBe('2025-03-05T05:00:00.000Z');
    await save(aFlow(id, daily('    disabled: true\n')));
    expect(await next()).toBeUndefined();
    await save(aFlow(id));
    expect(await rowOf(server, id)).toBeUndefined();
    await save(aFlow(id, daily()));
    await server.call('DELETE', `/flows/company.team/${id}`);
    expect(await rowOf(server, id)).toBeUndefined();
    await goTo('2025-03-09T02:00:00Z');
    expect(await executionsOf(server, id)).toEqual([]);
  });

  it('keeps a switch of the user when the trigger changes', async () => {
    const { server } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily()));
    const body = { namespace: 'company.team', flowId: id, triggerId: 'daily', disabled: true };
    await server.call('PUT', '/triggers', { payload: body });
    await server.call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id, daily().replace('0 2', '0 5'))));
    const row = await rowOf(server, id);
    expect(row).toMatchObject({ disabled: true });
    expect(row?.nextAt).toBeUndefined();
  });

  it('gives triggers of flows that are older than their rows a row at the start', async () => {
    const { server } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily()));
    await server.product.store.commit([
      { op: 'trigger.delete', namespace: 'company.team', flowId: id, triggerId: 'daily' },
      { op: 'setting.put', key: 'triggers.adopted', value: undefined },
    ]);
    await server.reopen();
    expect(iso((await rowOf(server, id))?.nextAt)).toBe('2025-03-01T02:00:00.000Z');
  });

  it('a trigger whose flow is gone or cannot be read blocks no other trigger', async () => {
    const { server, goTo } = await aServerAt(database);
    const id = anId();
    await server.saveFlow(aFlow(id, daily()));
    const { store } = server.product;
    const row = await rowOf(server, id);
    const flow = await store.getFlow('company.team', id);
    if (!row || !flow) throw new Error('The flow was just saved.');
    const broken = `${id}broken`;
    await store.commit([
      { op: 'trigger.put', trigger: { ...row, flowId: 'nowhere', nextAt: 1 } },
      { op: 'trigger.put', trigger: { ...row, flowId: broken, nextAt: 1 } },
      { op: 'flow.insert', flow: { ...flow, id: broken, source: 'id: [' }, expectRevision: 0 },
    ]);
    await goTo('2025-03-01T02:00:00Z');
    await expect.poll(() => executionsOf(server, id)).toHaveLength(1);
    expect(await rowOf(server, 'nowhere')).toBeUndefined();
    expect((await rowOf(server, broken))?.nextAt).toBeUndefined();
  });
});

describe('several schedulers on one database', () => {
  const postgres = databases.find(({ name }) => name === 'PostgreSQL');
  if (!postgres) throw new Error('There is no PostgreSQL among the databases.');

  it('[A36] start one execution per slot between them, also after one was restarted', async () => {
    const one = await aServerAt(postgres);
    const two = await aServerAt(postgres, '2025-03-01T00:00:00Z', one.server.product.config.database.url);
    const ids = [anId(), anId(), anId()];
    for (const id of ids) await one.server.saveFlow(aFlow(id, daily()));
    const days = ['01', '02', '03', '04', '05'];
    for (const day of days) {
      const date = `2025-03-${day}T02:00:00Z`;
      await Promise.all([one.goTo(date), two.goTo(date)]);
      for (const id of ids) {
        await expect.poll(async () => (await rowOf(one.server, id))?.executionId).toBeUndefined();
      }
      if (day === '03') await two.server.reopen();
    }
    for (const id of ids) {
      await expect.poll(() => datesOf(one.server, id)).toEqual(days.map((day) => `2025-03-${day}T02:00:00Z`));
    }
  });
});

describe('the Toggle task', () => {
  const [first] = databases;
  if (!first) throw new Error('There is no database.');

  it('switches a trigger of its flow off and on, and fails for one that does not exist', async () => {
    const { server } = await aServerAt(first);
    const [id, on, missing] = [anId(), anId(), anId()];
    const toggle = (trigger: string, enabled: boolean, flowId = id) =>
      `tasks:\n  - { id: t, type: core.trigger.Toggle, flowId: ${flowId}, trigger: ${trigger}, enabled: ${enabled} }\n`;
    await server.saveFlow(aFlow(id, daily('', toggle('daily', false))));
    await server.saveFlow(aFlow(on, toggle('daily', true)));
    await server.saveFlow(aFlow(missing, toggle('nobody', true)));
    await server.run(id);
    expect(await rowOf(server, id)).toMatchObject({ disabled: true });
    await server.run(on);
    expect(await rowOf(server, id)).toMatchObject({ disabled: false, nextAt: expect.any(Number) });
    expect(stateOf(await server.run(missing))).toBe('FAILED');
  });
});
