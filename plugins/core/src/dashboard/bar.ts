import {
  chartData,
  chartWords,
  dashboardOf,
  defineChart,
  fixed,
  legend,
  lineIcon,
  text,
  tooltip,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const bar = defineChart({
  type: 'core.dashboard.chart.Bar',
  title: 'Bars by category',
  description: 'Draws one bar for each value of a column.',
  icon: lineIcon('M4 4v16h16', 'M8 16v-5', 'M12 16V8', 'M16 16v-3'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({
          ...chartWords,
          column: fixed(text()).describe('The column of the bars.'),
          tooltip: tooltip(),
          legend: legend(),
        })
        .optional()
        .describe('How the chart looks.'),
      data: chartData(),
    }),
  examples: [
    {
      title: 'Bars by category.',
      runs: false,
      code: dashboardOf(`  - id: by_flow
    type: core.dashboard.chart.Bar
    chartOptions:
      displayName: Executions per namespace
      column: namespace
    data:
      type: core.dashboard.data.Executions
      columns:
        namespace:
          field: NAMESPACE
        total:
          agg: COUNT
`),
    },
  ],
});
