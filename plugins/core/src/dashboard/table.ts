import {
  chartData,
  chartWords,
  dashboardOf,
  defineChart,
  header,
  lineIcon,
  pagination,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const table = defineChart({
  type: 'core.dashboard.chart.Table',
  title: 'Rows and columns',
  description: 'Shows the data as it is.',
  icon: lineIcon('M4 5h16v14H4z', 'M4 10h16', 'M10 5v14'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({ ...chartWords, header: header(), pagination: pagination() })
        .optional()
        .describe('How the chart looks.'),
      data: chartData(),
    }),
  examples: [
    {
      title: 'Rows and columns.',
      runs: false,
      code: dashboardOf(`  - id: failures
    type: core.dashboard.chart.Table
    chartOptions:
      displayName: Failed executions
    data:
      type: core.dashboard.data.Executions
      columns:
        id:
          field: ID
        flow:
          field: FLOW_ID
      where:
        - field: STATE
          type: EQUAL_TO
          value: FAILED
      orderBy:
        - column: flow
          order: ASC
`),
    },
  ],
});
