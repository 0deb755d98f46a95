import { aggregations, chartComparisons } from '@millrace/contract';
import { z } from 'zod';
import { anything, choice, fixed, text } from './dynamic.ts';

const filterTypes = [...chartComparisons, 'OR'] as const;

export type Fields = readonly [string, ...string[]];

function filters(fields: Fields) {
  const field = fixed(choice(fields)).describe('The field to look at.');
  const value = { value: anything().optional().describe('What to compare with.') };
  const simple = z.strictObject({
    field: field.optional(),
    type: fixed(choice(filterTypes)).describe('How to compare.'),
    labelKey: fixed(text()).optional().describe('The key, for the field LABELS.'),
    ...value,
    values: z
      .array(z.unknown())
      .optional()
      .describe('Several values to compare with; for OR, several filters.'),
  });
  return fixed(z.array(simple));
}

/** Properties of every data source: columns, filters and order. A KPI is one number or a share. */
export function dataProperties(fields: Fields, isKpi = false) {
  const column = z.strictObject({
    field: fixed(choice(fields)).optional().describe('The field; absent for a plain count.'),
    agg: fixed(choice(aggregations)).optional().describe('How rows are combined.'),
    displayName: fixed(text()).optional().describe('The name that is shown.'),
    labelKey: fixed(text()).optional().describe('The key, for the field LABELS.'),
    graphStyle: fixed(choice(['LINES', 'BARS', 'POINTS']))
      .optional()
      .describe('How a time series draws it.'),
    columnAlignment: fixed(choice(['LEFT', 'RIGHT', 'CENTER']))
      .optional()
      .describe('How a table aligns it.'),
  });
  const columns = isKpi
    ? fixed(z.union([z.record(z.string(), column), column])).describe('The columns to count.')
    : fixed(z.record(z.string(), column)).describe('The columns, by name.');
  const where = filters(fields).optional().describe('Only rows that match all of these.');
  if (isKpi) {
    const numerator = filters(fields).optional().describe('The rows whose share of all rows is shown.');
    return { columns, where, numerator };
  }
  const order = z.strictObject({
    column: fixed(text()).describe('The column.'),
    order: fixed(choice(['ASC', 'DESC']))
      .default('ASC')
      .describe('The direction.'),
  });
  return { columns, where, orderBy: fixed(z.array(order)).optional().describe('The order of the rows.') };
}
