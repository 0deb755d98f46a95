/** An embedded database has no shards to merge; the number keeps both databases in step. */
export const sqlite012 = 'SELECT 1;';
