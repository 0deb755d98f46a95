import { alterSqlite, createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';
import { aFlow } from './testing/aFlow.ts';
import { aServer, form, stateOf, yaml } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { arrivals, openDoor } from './testing/testTasks.ts';

const ofFlow = (id: string) => `execution_id IN (SELECT id FROM executions WHERE flow_id = '${id}')`;

/** Documents that cannot be used: no JSON, JSON that is no object, and objects without their fields or with wrong ones. */
const badDocuments = ['{"broken', '[7]', '{"id":7,"state":7,"roles":7,"flows":{},"at":"never"}'] as const;

/** Bad rows for each table: a document that cannot be used, an unknown word, a missing plugin. */
const poisonOf = (bad: string): Readonly<Record<string, readonly string[]>> => ({
  executions: [
    `UPDATE executions SET data = '${bad}' WHERE flow_id = 'poisoned'`,
    `UPDATE executions SET data = replace(data, '"current":"RUNNING"', '"current":"EXPLODED"'), state = 'EXPLODED' WHERE flow_id = 'exploded'`,
  ],
  task_runs: [
    `UPDATE task_runs SET data = '${bad}' WHERE ${ofFlow('half')}`,
    `UPDATE task_runs SET data = replace(data, '"current":"RUNNING"', '"current":"EXPLODED"') WHERE ${ofFlow('strange')}`,
  ],
  execution_events: [`UPDATE execution_events SET events = '${bad}' WHERE ${ofFlow('half')}`],
  execution_labels: [`UPDATE execution_labels SET value = '' WHERE ${ofFlow('half')}`],
  execution_stats: [
    `UPDATE execution_stats SET state = 'EXPLODED' WHERE flow_id = 'half' AND state = 'RUNNING'`,
  ],
  roll_up: [`UPDATE roll_up SET word = 'EXPLODED' WHERE flow_id = 'half' AND word = 'RUNNING'`],
  logs: [`UPDATE logs SET level = 99`],
  metrics: [`UPDATE metrics SET data = '${bad}'`],
  flows: [
    `UPDATE flows SET labels = '${bad}' WHERE id = 'poisoned'`,
    `UPDATE flows SET source = replace(source, 'test.Door', 'gone.Plugin') WHERE id = 'pluginless'`,
    `UPDATE flows SET source = 'id: [' WHERE id = 'illegible'`,
  ],
  flow_labels: [`UPDATE flow_labels SET value = ''`],
  triggers: [
    `UPDATE triggers SET data = '${bad}', next_at = -1 WHERE flow_id = 'poisoned'`,
    `UPDATE triggers SET data = replace(data, 'core.trigger.Schedule', 'gone.Trigger'), next_at = 0 WHERE flow_id = 'pluginless'`,
  ],
  trigger_windows: [
    `INSERT INTO trigger_windows (namespace, flow_id, trigger_id, condition_id, version, data)
     VALUES ('company.team', 'poisoned', 'heard', 'c', 1, '${bad}')`,
  ],
  flow_events: [
    `INSERT INTO flow_events (execution_id, position, namespace, flow_id, trigger_id, at)
     VALUES ('nobody', 99, 'company.team', 'poisoned', 'gone', 1)`,
  ],
  templates: [`UPDATE templates SET data = '${bad}' WHERE id = 'poisoned'`],
  dashboards: [`UPDATE dashboards SET data = '${bad}'`],
  kv: [
    `UPDATE kv SET value = '${bad}' WHERE key = 'poisoned'`,
    `UPDATE kv SET type = 'EXPLODED' WHERE key = 'odd'`,
  ],
  file_namespaces: [`INSERT INTO file_namespaces (namespace) VALUES ('.. / not one')`],
  sessions: [`INSERT INTO sessions (id, username, created_at, ends_at) VALUES ('x', 'unknown', 0, 0)`],
  flow_tests: [
    `INSERT INTO flow_tests (namespace, id, version, flow_id, flow_revision, deleted, updated_at, data)
     VALUES ('company.team', 'strange', 1, 'healthy', 1, 0, 1, '${bad}')`,
  ],
  documents: [
    ...['channel', 'rule', 'open', 'ended', 'pending', 'done', 'sla'].map((kind) => `alert.${kind}`),
    ...['failure', 'group', 'mark', 'missed'].map((kind) => `inbox.${kind}`),
    ...['control', 'action', 'sample'].map((kind) => `instance.${kind}`),
    ...['job', 'job.call'],
  ].map(
    (kind) =>
      `INSERT INTO documents (kind, id, parent, at, version, data) VALUES ('${kind}', '${kind === 'instance.control' ? 'maintenance' : 'strange'}', '${kind === 'job' ? 'open' : 'strange'}', ${Date.now()}, 1, '${bad}')`,
  ),
  settings: [`UPDATE settings SET value = '${bad}' WHERE key IN ('instance.id', 'triggers.adopted')`],
});
/** Bad rows for tables that only exist when servers share a database. */
const sharedPoisonOf = (bad: string): Readonly<Record<string, readonly string[]>> => ({
  servers: [`INSERT INTO servers (id, seen_at, data) VALUES ('strange', 0, '${bad}')`],
  execution_messages: [
    `INSERT INTO execution_messages (id, execution_id, body) SELECT 'strange', id, '${bad}' FROM executions LIMIT 1`,
    `INSERT INTO execution_messages (id, execution_id, body) SELECT 'odd', id, '{"kind":"fact","event":{"type":"exploded"}}'
     FROM executions WHERE flow_id = 'healthy'`,
  ],
  worker_attempts: [`INSERT INTO worker_attempts VALUES ('unknown', 'nothing', 7, 'strange', 0)`],
  worker_folders: [`INSERT INTO worker_folders VALUES ('../..', 'unknown', 'nothing', 'strange')`],
  concurrency_slots: [
    `INSERT INTO concurrency_slots (execution_id, namespace, flow_id, holds) VALUES ('unknown', 'company.team', 'healthy', 1)`,
  ],
});
/** These tables hold only text and numbers, or only the database writes them. */
const harmless = ['schema_version', 'session_tokens', 'log_search_position'];

const tablesOf = async (database: TestDatabase) =>
  (await database.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)).map(
    ({ name }) => String(name),
  );

it.each(['SQLite', 'PostgreSQL'].flatMap((name) => badDocuments.map((bad) => [name, bad] as const)))(
  '[A37] a row that cannot be read, in any table, never keeps a server on %s from starting, nor others from being seen; it is seen itself and can be removed: %s',
  async (name, bad) => {
    const database = name === 'SQLite' ? undefined : await createTestDatabase();
    if (database) onTestFinished(() => database.drop());
    const server = await aServer(sqlite, database ? { databaseUrl: database.url } : {});
    const door = (id: string) => `${id} ${name} ${badDocuments.indexOf(bad)}`;
    const wait = (id: string) =>
      `labels: { team: data }\ntasks:\n  - id: wait\n    type: test.Door\n    door: "${door(id)}"\n`;
    const schedule = `triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 0 1 1 *"\n`;
    const flows = ['poisoned', 'exploded', 'half', 'strange', 'pluginless', 'illegible', 'healthy'];
    const ids = new Map<string, string>();
    for (const id of flows) {
      await server.saveFlow(
        aFlow(id, wait(id) + (['poisoned', 'pluginless', 'healthy'].includes(id) ? schedule : '')),
      );
      ids.set(id, (await server.start(id)).id);
      await expect.poll(() => arrivals(door(id))).toBe(1);
    }
    for (const key of ['poisoned', 'odd'])
      await server.call('PUT', `/namespaces/company.team/kv/${key}`, {
        headers: { 'content-type': 'text/plain' },
        payload: '"value"',
      });
    await server.call('POST', '/dashboards', yaml('id: mine\ntitle: Mine\ncharts: []\n'));
    await server.call(
      'POST',
      '/templates',
      yaml('id: poisoned\nnamespace: company.team\ntasks:\n  - {id: a, type: core.log.Log, message: a}\n'),
    );
    await server.close(0);
    const [poison, sharedPoison] = [poisonOf(bad), sharedPoisonOf(bad)];
    const statements = Object.values(poison).flat();
    if (database) {
      for (const text of [...statements, ...Object.values(sharedPoison).flat()]) await database.query(text);
      const known = [...Object.keys(poison), ...Object.keys(sharedPoison), ...harmless];
      // A table that is added later needs its line here.
      expect((await tablesOf(database)).filter((table) => !known.includes(table))).toEqual([]);
    } else alterSqlite(server.product.config.data, statements);

    await server.reopen();
    await expect.poll(() => arrivals(door('healthy'))).toBe(2);
    openDoor(door('healthy'));
    await server.waitForState(ids.get('healthy') ?? '', 'SUCCESS');
    await server.waitForState(ids.get('pluginless') ?? '', 'FAILED');
    await server.waitForState(ids.get('illegible') ?? '', 'FAILED');

    for (const path of [
      '/executions/search?size=100',
      '/flows/search',
      '/triggers/search',
      '/templates/search',
      '/dashboards',
      '/logs/search',
      '/taskruns/search',
      '/namespaces/company.team/kv',
      `/metrics/${ids.get('healthy')}`,
      '/namespaces/search',
      '/tests/search',
      '/alerts/channels',
      '/alerts/rules',
      '/alerts/incidents',
      '/alerts/incidents?state=RECOVERED',
      '/alerts/deliveries',
      '/alerts/deliveries?state=PENDING',
      '/inbox',
      '/inbox/count',
      '/instance/servers',
      '/instance/actions',
      '/instance/health',
      '/instance/maintenance',
    ])
      expect([path, (await server.call('GET', path)).status]).toEqual([path, 200]);

    const listed = (await server.call('GET', '/executions/search?size=100')).body.results as Record<
      string,
      unknown
    >[];
    for (const id of ['poisoned', 'exploded', 'half', 'strange']) {
      const shown = listed.find((execution) => execution.id === ids.get(id));
      // Lists read no task runs: only the page of an execution finds out that one of them is damaged.
      const labels = ['half', 'strange'].includes(id)
        ? expect.any(Array)
        : [{ key: 'system.unreadable', value: 'true' }];
      expect([id, shown?.flowId, shown?.labels]).toEqual([id, id, labels]);
      const path = `/executions/${ids.get(id)}`;
      const asked = await server.call('GET', path);
      expect([id, asked.status, asked.body.message]).toEqual([
        id,
        409,
        expect.stringContaining('cannot be read'),
      ]);
      expect([id, (await server.call('DELETE', path)).status]).toEqual([id, 204]);
      expect([id, (await server.call('GET', path)).status]).toEqual([id, 404]);
    }
    const unreadable = expect.stringContaining('cannot be read');
    const listOf = async (path: string) =>
      (await server.call('GET', path)).body.results as Record<string, unknown>[];
    const trigger = (await listOf('/triggers/search?flowId=poisoned'))[0]?.triggerContext;
    expect(trigger).toMatchObject({ triggerId: 'daily', exception: unreadable });
    expect(trigger).not.toHaveProperty('nextExecutionDate');
    // The unreadable trigger stays overdue; a query for due triggers returns the next readable one.
    expect(await server.product.store.dueTriggers(Number.MAX_SAFE_INTEGER, 1)).toHaveLength(1);
    expect(await listOf('/templates/search')).toMatchObject([{ id: 'poisoned', exception: unreadable }]);
    expect(await listOf('/dashboards')).toMatchObject([{ title: 'Mine', exception: unreadable }]);
    const changed = { namespace: 'company.team', flowId: 'poisoned', triggerId: 'daily', disabled: true };
    for (const [method, path, body] of [
      ['PUT', '/triggers', changed],
      ['GET', '/templates/company.team/poisoned'],
      ['GET', '/dashboards/mine'],
    ] as const) {
      const answer = await server.call(method, path, body ? { payload: body } : {});
      expect([path, answer.status, answer.body.message]).toEqual([path, 409, unreadable]);
    }
    // Resetting the trigger's state makes it start over.
    expect((await server.call('DELETE', '/triggers/company.team/poisoned/daily')).status).toBe(204);
    const fresh = (await listOf('/triggers/search?flowId=poisoned'))[0]?.triggerContext;
    expect(fresh).toMatchObject({ triggerId: 'daily', nextExecutionDate: expect.any(String) });
    expect(fresh).not.toHaveProperty('exception');
    const keys = [{ namespace: 'company.team', id: 'poisoned' }];
    expect((await server.call('DELETE', '/templates/delete/by-ids', { payload: keys })).body.count).toBe(1);
    expect((await server.call('DELETE', '/dashboards/mine')).status).toBe(204);
    expect([await listOf('/templates/search'), await listOf('/dashboards')]).toEqual([[], []]);

    const flow = await server.call('GET', '/flows/company.team/poisoned');
    expect([flow.status, flow.body.id]).toEqual([200, 'poisoned']);
    const again = await server.call('POST', '/executions/company.team/healthy?wait=true', form({}));
    expect(stateOf(again.body)).toBe('SUCCESS');
  },
  180_000,
);
