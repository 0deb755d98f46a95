/** An embedded database has one server, so there is nothing to know of others; the number keeps both in step. */
export const sqlite006 = 'SELECT 1;';
