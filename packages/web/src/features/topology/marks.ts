/** What happened to a task or trigger between two revisions. */
export type Mark = 'added' | 'removed' | 'changed' | 'moved' | 'renamed';

/** Marks by the id of the task or trigger. */
export type Marks = ReadonlyMap<string, Mark>;
