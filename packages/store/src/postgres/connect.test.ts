import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../suite/testDatabase.ts';
import { createPool } from './connect.ts';

it('[A36] a connection that breaks between two statements ends no process, and the pool opens another one', async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // Node's `once` would add its own error listener.
  const ended = new Promise<void>((resolve) => void client.once('end', resolve));
  // An error without a listener would end the process, and with it the test run.
  await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  client.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
