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
