/**
 * The subjects of the roll-up, which counts in steps of half an hour: fine enough to sum up to the hours,
 * days, weeks and months of nearly every time zone. Imports nothing, because the writing thread loads it at
 * every start.
 */
export const rollUpSubjects = { executions: 0, taskRuns: 1, logs: 2 } as const;

export const stepMs = 1_800_000;
export const stepOf = (at: number): number => Math.floor(at / stepMs);

/** The flow of the rows that hold the sums of a whole namespace; no flow has this id. */
export const wholeNamespace = '';

/**
 * Added to a subject: the count per day and namespace, stored under the first step of the day and without
 * durations. Totals are sums of these, because months have too many steps for a list query.
 */
export const dayTotals = 10;
/** Added to a subject: the sums of all namespaces; the namespace is empty there. */
export const allNamespaces = 20;
export const noNamespace = '';
export const stepsPerDay = 48;
/**
 * Added to a subject: the sums of four hours, of a flow and of a namespace, stored under their first step.
 */
export const blockSums = 30;
export const stepsPerBlock = 8;
export const firstStepOfBlock = (step: number): number => Math.floor(step / stepsPerBlock) * stepsPerBlock;
/** The base subject of a row, without any of the offsets above. */
export const subjectOf = (subject: number): number => subject % 10;
export const firstStepOfDay = (step: number): number => Math.floor(step / stepsPerDay) * stepsPerDay;

/** In the order of the values from `RollUpSums`. `word` is a state, or the number of a log level. */
export const rollUpKey = ['subject', 'flow_id', 'step', 'namespace', 'word'] as const;
export const rollUpColumns = [...rollUpKey, 'n', 'duration', 'shortest', 'longest', 'unsettled'] as const;
