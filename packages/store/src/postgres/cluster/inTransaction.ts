import type pg from 'pg';

/** Runs statements as one transaction. A connection that broke on the way is not used again. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isBroken = false;
    return result;
  } finally {
    // A transaction that failed is rolled back by closing its connection.
    client.release(isBroken);
  }
}
