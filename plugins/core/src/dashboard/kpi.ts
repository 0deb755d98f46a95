import {
  chartData,
  chartWords,
  choice,
  dashboardOf,
  defineChart,
  fixed,
  lineIcon,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const kpi = defineChart({
  type: 'core.dashboard.chart.KPI',
  title: 'One number',
  description:
    'Shows a single number, such as how many executions there were. With `numberType: PERCENTAGE` it is the share of the rows that match `numerator` among all that match `where`.',
  icon: lineIcon('M5 19V5', 'M5 19h14', 'M9 15l3-4 3 2 4-6'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({
          ...chartWords,
          numberType: fixed(choice(['FLAT', 'PERCENTAGE']))
            .default('FLAT')
            .describe('The number itself, or a share.'),
          color: fixed(choice(['DEFAULT', 'SUCCESS', 'DANGER', 'FAILURE', 'WARNING', 'INFO']))
            .default('DEFAULT')
            .describe('The colour of the number.'),
        })
        .optional()
        .describe('How the chart looks.'),
      data: chartData(),
    }),
  examples: [
    {
      title: 'The share of executions that succeeded.',
      runs: false,
      code: dashboardOf(`  - id: success
    type: core.dashboard.chart.KPI
    chartOptions:
      displayName: Share of successes
      numberType: PERCENTAGE
    data:
      type: core.dashboard.data.ExecutionsKPI
      columns:
        total:
          agg: COUNT
      numerator:
        - field: STATE
          type: EQUAL_TO
          value: SUCCESS
`),
    },
  ],
});
