/**
 * An embedded database has one server, so it needs no such tables; the number keeps both databases in step.
 */
export const sqlite006 = 'SELECT 1;';
