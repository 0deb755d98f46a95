/**
 * What the roll-up counts, in steps of half an hour: fine enough to be added up to the hours, days, weeks and months
 * of nearly every time zone. Imports nothing: the writing thread loads it at every start.
 */
export const rollUpSubjects = { executions: 0, taskRuns: 1, logs: 2 } as const;

export const stepMs = 1_800_000;
export const stepOf = (at: number): number => Math.floor(at / stepMs);

/** The flow of the rows that hold the sums of a whole namespace; no flow has this id. */
export const wholeNamespace = '';

/** In the order `RollUpSums` gives the values. `word` is a state, or the number of a log level. */
export const rollUpKey = ['subject', 'flow_id', 'step', 'namespace', 'word'] as const;
export const rollUpColumns = [...rollUpKey, 'n', 'duration', 'shortest', 'longest', 'doubt'] as const;
