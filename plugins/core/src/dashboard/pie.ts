import {
  chartData,
  chartWords,
  choice,
  dashboardOf,
  defineChart,
  fixed,
  legend,
  lineIcon,
  text,
  tooltip,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const pie = defineChart({
  type: 'core.dashboard.chart.Pie',
  title: 'Parts of a whole',
  description: 'Draws the share of each value as a ring or a pie.',
  icon: lineIcon('M12 3a9 9 0 1 0 9 9h-9z', 'M15 3a6 6 0 0 1 6 6h-6z'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({
          ...chartWords,
          graphStyle: fixed(choice(['DONUT', 'PIE']))
            .default('DONUT')
            .describe('A ring or a pie.'),
          colorByColumn: fixed(text()).optional().describe('The column that tells parts apart.'),
          tooltip: tooltip(),
          legend: legend(),
        })
        .optional()
        .describe('How the chart looks.'),
      data: chartData(),
    }),
  examples: [
    {
      title: 'Parts of a whole.',
      runs: false,
      code: dashboardOf(`  - id: by_state
    type: core.dashboard.chart.Pie
    chartOptions:
      displayName: Executions by state
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        state:
          field: STATE
        total:
          agg: COUNT
`),
    },
  ],
});
