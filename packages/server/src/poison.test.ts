import { alterSqlite, createTestDatabase } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';
import { aFlow } from './testing/aFlow.ts';
import { anId, aServer } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { arrivals, openDoor } from './testing/testTasks.ts';

/** One row of every table that holds a document is made unreadable. */
const poison = [
  `UPDATE executions SET data = '{"broken' WHERE flow_id = 'poisoned'`,
  `UPDATE task_runs SET data = '{"broken' WHERE execution_id IN (SELECT id FROM executions WHERE flow_id = 'half')`,
  `UPDATE execution_events SET events = '[{' WHERE execution_id IN (SELECT id FROM executions WHERE flow_id = 'half')`,
  `UPDATE triggers SET data = 'null and void' WHERE flow_id = 'poisoned'`,
  `UPDATE flows SET labels = '[' WHERE id = 'poisoned'`,
  `UPDATE metrics SET data = '{'`,
  `UPDATE templates SET data = '{' WHERE id = 'poisoned'`,
  `UPDATE settings SET value = '{' WHERE key IN ('instance.id', 'triggers.adopted')`,
];
/** What only servers that share a database have. */
const sharedPoison = [
  `INSERT INTO servers (id, seen_at, data) VALUES ('strange', 0, 'not a document')`,
  `INSERT INTO execution_messages (id, execution_id, body) SELECT 'strange', id, '{' FROM executions LIMIT 1`,
];

it.each(['SQLite', 'PostgreSQL'])(
  '[A37] a row that cannot be read, in whatever table, never keeps a server from starting on %s',
  async (name) => {
    const database = name === 'SQLite' ? undefined : await createTestDatabase();
    if (database) onTestFinished(() => database.drop());
    const server = await aServer(sqlite, database ? { databaseUrl: database.url } : {});
    const healthy = anId();
    const wait = (door: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n`;
    const trigger = `triggers:\n  - id: heard\n    type: core.trigger.Flow\n`;
    await server.saveFlow(aFlow('poisoned', wait(`poisoned ${name}`) + trigger));
    await server.saveFlow(aFlow('half', wait(`half ${name}`)));
    await server.saveFlow(aFlow(healthy, wait(healthy)));
    for (const id of ['poisoned', 'half', healthy]) await server.start(id);
    await expect
      .poll(() => [arrivals(`poisoned ${name}`), arrivals(`half ${name}`), arrivals(healthy)])
      .toEqual([1, 1, 1]);
    await server.close(0);
    if (database) for (const text of [...poison, ...sharedPoison]) await database.query(text);
    else alterSqlite(server.product.config.data, poison);
    await server.reopen();
    await expect.poll(() => arrivals(healthy)).toBe(2);
    openDoor(healthy);
    const found = async () =>
      (await server.call('GET', `/executions/search?flowId=${healthy}&state=SUCCESS`)).body.total;
    await expect.poll(found).toBe(1);
    // Lists show what can be read.
    for (const path of ['/executions/search', '/flows/search', '/triggers/search', '/templates/search'])
      expect([path, (await server.call('GET', path)).status]).toEqual([path, 200]);
    await server.saveFlow(aFlow(anId()));
  },
);
