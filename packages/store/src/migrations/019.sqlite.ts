/** Nothing changes: one server keeps its concurrency slots in memory. */
export const sqlite019 = 'SELECT 1';
