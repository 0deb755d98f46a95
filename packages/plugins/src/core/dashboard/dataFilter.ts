import { z } from 'zod';
import { defineDataFilter } from '../../kit/define.ts';
import type { DataFilterDefinition } from '../../kit/definition.ts';
import { anything, choice, fixed, text } from '../../kit/dynamic.ts';
import { dashboardOf } from './chartProperties.ts';

const filterTypes = [
  'CONTAINS',
  'ENDS_WITH',
  'EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'IN',
  'IS_FALSE',
  'IS_NOT_NULL',
  'IS_NULL',
  'IS_TRUE',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'NOT_EQUAL_TO',
  'NOT_IN',
  'OR',
  'REGEX',
  'STARTS_WITH',
] as const;

type Fields = readonly [string, ...string[]];

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

interface Options {
  readonly name: string;
  readonly title: string;
  readonly fields: Fields;
  /** A filter for a single number, which may be a share of all rows. */
  readonly isKpi?: boolean;
}

/** One kind of rows that charts are made of. */
export function defineData({ name, title, fields, isKpi = false }: Options): DataFilterDefinition {
  const column = z.strictObject({
    field: fixed(choice(fields)).optional().describe('The field; absent for a plain count.'),
    agg: fixed(choice(['AVG', 'MAX', 'MIN', 'SUM', 'COUNT']))
      .optional()
      .describe('How rows are combined.'),
    displayName: fixed(text()).optional().describe('The name that is shown.'),
    labelKey: fixed(text()).optional().describe('The key, for the field LABELS.'),
    graphStyle: fixed(choice(['LINES', 'BARS', 'POINTS']))
      .optional()
      .describe('How a time series draws it.'),
    columnAlignment: fixed(choice(['LEFT', 'RIGHT', 'CENTER']))
      .optional()
      .describe('How a table aligns it.'),
  });
  return defineDataFilter({
    type: `core.dashboard.data.${name}`,
    title,
    description: `Fields: ${fields.map((field) => `\`${field}\``).join(', ')}.`,
    fields,
    input: z.object({
      columns: isKpi
        ? fixed(z.union([z.record(z.string(), column), column])).describe('What is counted.')
        : fixed(z.record(z.string(), column)).describe('The columns, by name.'),
      where: filters(fields).optional().describe('Only rows that match all of these.'),
      ...(isKpi
        ? { numerator: filters(fields).optional().describe('The rows whose share of all rows is shown.') }
        : {
            orderBy: fixed(
              z.array(
                z.strictObject({
                  column: fixed(text()).describe('The column.'),
                  order: fixed(choice(['ASC', 'DESC']))
                    .default('ASC')
                    .describe('The direction.'),
                }),
              ),
            )
              .optional()
              .describe('The order of the rows.'),
          }),
    }),
    examples: [
      {
        title: `${title} on a dashboard.`,
        runs: false,
        code: dashboardOf(exampleChart(name, fields, isKpi)),
      },
    ],
  });
}

const exampleChart = (name: string, [field]: Fields, isKpi: boolean): string => `  - id: rows
    type: core.dashboard.chart.${isKpi ? 'KPI' : 'Table'}
    chartOptions:
      displayName: Rows
    data:
      type: core.dashboard.data.${name}
      columns:
        first:
          ${isKpi ? 'agg: COUNT' : `field: ${field}`}
`;
