import type { Database } from '../options.ts';

/** The source of a figure: one of the databases, or the product independent of them. */
export type Column = Database | 'product';

/** The measured values, by the id of their row in the budgets. */
export type Figures = Partial<Record<string, number>>;
export type Report = Partial<Record<Column, Figures>>;
