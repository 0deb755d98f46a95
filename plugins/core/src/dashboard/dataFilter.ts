import type { DataFilterDefinition } from '@millrace/plugin-kit';
import { dashboardOf, dataProperties, defineDataFilter, type Fields } from '@millrace/plugin-kit';
import { z } from 'zod';

interface Options {
  readonly name: string;
  readonly title: string;
  readonly fields: Fields;
  /** A filter for a single number, which may be a share of all rows. */
  readonly isKpi?: boolean;
}

const dateFields: ReadonlySet<string> = new Set(['START_DATE', 'END_DATE', 'DATE', 'NEXT_EXECUTION_DATE']);

/** One kind of rows that charts are made of. */
export function defineData({ name, title, fields, isKpi = false }: Options): DataFilterDefinition {
  return defineDataFilter({
    type: `core.dashboard.data.${name}`,
    title,
    description: `Fields: ${fields.map((field) => `\`${field}\``).join(', ')}.`,
    fields,
    dates: fields.filter((field) => dateFields.has(field)),
    input: () => z.object(dataProperties(fields, isKpi)),
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
