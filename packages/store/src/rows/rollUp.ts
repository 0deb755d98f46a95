/**
 * What the roll-up counts, in steps of half an hour: fine enough to be added up to the hours, days, weeks and months
 * of nearly every time zone. Imports nothing: the writing thread loads it at every start.
 */
export const rollUpSubjects = { executions: 0, taskRuns: 1, logs: 2 } as const;

export const stepMs = 1_800_000;
export const stepOf = (at: number): number => Math.floor(at / stepMs);

/** The flow of the rows that hold the sums of a whole namespace; no flow has this id. */
export const wholeNamespace = '';

/**
 * Added to a subject: how many of it a whole day of a namespace has, under the first step of the day and without
 * durations. Totals are added up from these: the steps of some months are too many for a list.
 */
export const dayTotals = 10;
/** Added to a subject: the sums of all namespaces, whose own name is empty there. */
export const allNamespaces = 20;
export const noNamespace = '';
export const stepsPerDay = 48;
/** Added to a subject: the sums of four hours, of a flow and of a namespace, under the first step of them. */
export const blockSums = 30;
export const stepsPerBlock = 8;
export const firstStepOfBlock = (step: number): number => Math.floor(step / stepsPerBlock) * stepsPerBlock;
/** What a row counts, whatever was added to its subject. */
export const subjectOf = (subject: number): number => subject % 10;
export const firstStepOfDay = (step: number): number => Math.floor(step / stepsPerDay) * stepsPerDay;

/** In the order `RollUpSums` gives the values. `word` is a state, or the number of a log level. */
export const rollUpKey = ['subject', 'flow_id', 'step', 'namespace', 'word'] as const;
export const rollUpColumns = [...rollUpKey, 'n', 'duration', 'shortest', 'longest', 'doubt'] as const;
