/** An embedded database has one server, which has all folders; the number keeps both databases in step. */
export const sqlite011 = 'SELECT 1;';
