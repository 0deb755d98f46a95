import { beforeAll, describe, expect, it } from 'vitest';
import { anId, sharedServer, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const tasks = (id: string) => `id: ${id}
namespace: csv.a
labels:
  team: "=cmd()"
tasks:
  - id: one
    type: core.debug.Return
    format: "{{ execution.id }}"
  - id: each
    type: core.flow.ForEach
    values: [a, b]
    tasks:
      - id: inner
        type: core.debug.Return
        format: "{{ taskrun.value }}"
triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 3 * * *"
`;

describe.each(databases)(
  'outputs, expressions and the calls of later clients (api 10) on $name',
  (database) => {
    const shared = sharedServer(database, { settings: { variables: { globals: { word: 'hello' } } } });
    const id = anId();
    let execution: Record<string, unknown> = {};
    beforeAll(async () => {
      await shared().saveFlow(tasks(id));
      execution = (await shared().call('POST', `/executions/csv.a/${id}?wait=true&kind=TEST`)).body;
    });

    it('shows the outputs of an execution by task, and of one task run', async () => {
      expect(execution).toMatchObject({ kind: 'TEST' });
      const all = await shared().call('GET', `/outputs/${execution.id}`);
      expect(all.body).toMatchObject({
        one: { value: execution.id },
        inner: { a: { value: 'a' }, b: { value: 'b' } },
      });
      const [first] = taskRunsOf(execution);
      const one = await shared().call('GET', `/outputs/${execution.id}/${first?.id}`);
      expect(one.body).toEqual({ value: execution.id });
      expect((await shared().call('GET', `/outputs/${execution.id}/nope`)).status).toBe(404);
      expect((await shared().call('GET', '/outputs/nope')).status).toBe(404);
    });

    it('O-5.5 finds values of all task runs by name or text', async () => {
      const search = (query: string) => shared().call('GET', `/outputs/${execution.id}/search${query}`);
      const found = await search(`?q=${String(execution.id).toLowerCase()}`);
      expect(found.body).toMatchObject({
        results: [{ taskId: 'one', path: 'value', text: execution.id }],
        total: 1,
      });
      expect((await search('?q=VALUE')).body.total).toBe(3);
      expect((await search('')).status).toBe(400);
      expect((await shared().call('GET', '/outputs/nope/search?q=a')).status).toBe(404);
    });

    it('O-5.1 O-5.2 evaluates an expression of a task run with its type', async () => {
      const run = taskRunsOf(execution).find(({ value }) => value === 'b');
      const evaluate = async (payload: string) => {
        const path = `/executions/${execution.id}/eval/${run?.id}?typed=true`;
        const headers = { 'content-type': 'text/plain' };
        return (await shared().call('POST', path, { headers, payload })).body;
      };
      const expected: readonly [string, object][] = [
        ['{{ outputs.inner }}', { type: 'MAP', value: { a: { value: 'a' } } }],
        ['{{ [1, taskrun.value] }}', { type: 'LIST', value: [1, 'b'], result: '[1,"b"]' }],
        ['{{ 1 + 1 }}', { type: 'NUMBER', value: 2, result: '2' }],
        ['{{ 1 == 1 }}', { type: 'BOOLEAN', value: true }],
        ['{{ null }}', { type: 'NULL', value: null }],
        ['it is {{ taskrun.value }}', { type: 'STRING', value: 'it is b', result: 'it is b' }],
        ['{{ nothing.here }}', { error: expect.stringContaining('nothing') }],
      ];
      for (const [expression, result] of expected) expect(await evaluate(expression)).toMatchObject(result);
    });

    it('renders expressions that need no execution', async () => {
      const render = (...expressions: string[]) =>
        shared().call('POST', '/expressions/render', { payload: { expressions } });
      expect((await render('{{ globals.word | upper }}', '{{ 1 + 1 }}')).body).toEqual({
        rendered: { '{{ globals.word | upper }}': 'HELLO', '{{ 1 + 1 }}': '2' },
      });
      expect((await render('{{ nope( }}')).status).toBe(422);
    });

    it('answers the calls of later clients: actions by their own path, changes of triggers', async () => {
      const replayed = await shared().call('POST', `/executions/${execution.id}/actions/replay`);
      expect([replayed.status, replayed.body.originalId]).toEqual([200, execution.id]);
      const key = { namespace: 'csv.a', flowId: id, triggerId: 'daily' };
      const off = await shared().call('PUT', '/triggers/set-disabled', {
        payload: { ...key, disabled: true },
      });
      expect(off.body).toMatchObject({ disabled: true });
      const on = await shared().call('PUT', '/triggers/set-disabled', {
        payload: { ...key, disabled: false },
      });
      expect(on.body).toMatchObject({ disabled: false });
      const backfill = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
      const filling = await shared().call('PUT', '/triggers/backfill/create', {
        payload: { ...key, backfill },
      });
      expect(filling.body).toMatchObject({ backfill: { start: '2026-01-01T00:00:00.000Z' } });
    });
  },
);
