import type { Database } from '../options.ts';

/** Where a figure comes from: one of the databases, or the product without regard to them. */
export type Column = Database | 'product';

/** What was measured, by the id of its row in the budgets. */
export type Figures = Partial<Record<string, number>>;
export type Report = Partial<Record<Column, Figures>>;
