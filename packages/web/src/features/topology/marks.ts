type Change = 'added' | 'removed' | 'changed' | 'moved' | 'renamed';
type CoverageMark = 'covered' | 'partlyCovered' | 'notCovered';

/** What happened to a task or trigger between two revisions, or how much of it the tests of the flow reach. */
export type Mark = Change | CoverageMark;

/** Marks by the id of the task or trigger. */
export type Marks = ReadonlyMap<string, Mark>;
