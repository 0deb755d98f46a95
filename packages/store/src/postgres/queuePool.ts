import pg from 'pg';
import { createPool } from './connect.ts';

const connections = 4;

/** The next jobs are the first ones of an index: what was done before it need not be looked at, sorted or joined. */
const inOrder = `SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;
  SET enable_mergejoin = off`;

/**
 * Connections for the queue of a worker. What it notes (who has a job, and that it is done) need not be on disk before it
 * goes on: a job whose note is lost with the database comes again, and then finds that its attempt has begun or is over.
 */
export function createQueuePool(url: string): pg.Pool {
  return createPool(url, {
    max: connections,
    // The queue waits, however long it takes: it does not expect to be told that it took too long.
    connectionTimeoutMillis: 0,
    // As the queue expects them: its ids are texts.
    types: pg.types,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(`SET synchronous_commit = off; ${inOrder}`);
    },
  });
}
