import pg from 'pg';
import { createPool } from './connect.ts';

const connections = 4;

/**
 * The next jobs are the first entries of an index, so scans, sorts and hash joins over finished jobs are
 * disabled.
 */
const inOrder = `SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;
  SET enable_mergejoin = off`;

/**
 * Connections for the queue of a worker. Its writes (job locked, job done) need not be on disk before it
 * continues: if a database crash loses one, the job runs again and finds that its attempt has begun or ended.
 */
export function createQueuePool(url: string): pg.Pool {
  return createPool(url, {
    max: connections,
    // No timeout: the queue does not handle a timeout error.
    connectionTimeoutMillis: 0,
    // The queue expects the default parsers: its ids are strings.
    types: pg.types,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(`SET synchronous_commit = off; ${inOrder}`);
    },
  });
}
