/**
 * The index by step is for merging only, and an expression keeps other queries from using it: rows are stored
 * in the order of their steps, so the planner preferred it for the sums of a month, although it reads twenty
 * times as many rows.
 */
export const postgres012 = `
DROP INDEX roll_up_step;
CREATE INDEX roll_up_merge ON roll_up ((step + 0));
`;
