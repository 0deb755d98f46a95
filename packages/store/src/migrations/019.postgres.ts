/** The end of the execution when its concurrency slot was forced; another end than this one releases the slot. */
export const postgres019 = 'ALTER TABLE concurrency_places ADD COLUMN forced_over_at bigint';
