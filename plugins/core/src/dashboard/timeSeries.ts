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

export const timeSeries = defineChart({
  type: 'core.dashboard.chart.TimeSeries',
  title: 'Values over time',
  description: 'Draws one or two values along a time axis.',
  icon: lineIcon('M4 4v16h16', 'M7 15l4-5 3 3 5-6'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({
          ...chartWords,
          column: fixed(text()).describe('The column of the time axis.'),
          colorByColumn: fixed(text()).optional().describe('The column that tells series apart.'),
          tooltip: tooltip(),
          legend: legend(),
        })
        .optional()
        .describe('How the chart looks.'),
      data: chartData(),
    }),
  examples: [
    {
      title: 'Values over time.',
      runs: false,
      code: dashboardOf(`  - id: by_day
    type: core.dashboard.chart.TimeSeries
    chartOptions:
      displayName: Executions per day
      column: date
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        date:
          field: START_DATE
          displayName: Date
        state:
          field: STATE
        total:
          agg: COUNT
          graphStyle: BARS
`),
    },
  ],
});
