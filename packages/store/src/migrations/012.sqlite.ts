/** An embedded database has no shards to merge; the number keeps both in step. */
export const sqlite012 = 'SELECT 1;';
