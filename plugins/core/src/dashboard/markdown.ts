import {
  chartWords,
  choice,
  dashboardOf,
  defineChart,
  deprecated,
  fixed,
  lineIcon,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const markdown = defineChart({
  type: 'core.dashboard.chart.Markdown',
  title: 'Text',
  description: 'Shows a text, or the description of a flow.',
  icon: lineIcon('M4 6h16v12H4z', 'M7 15V9l3 3 3-3v6', 'M17 9v6'),
  input: () =>
    z.object({
      chartOptions: z
        .strictObject({
          ...chartWords,
          displayName: fixed(text()).optional().describe('The heading of the text.'),
        })
        .optional()
        .describe('How the chart looks.'),
      source: z
        .strictObject({
          type: fixed(choice(['Text', 'FlowDescription'])).describe('Where the text comes from.'),
          content: fixed(text()).optional().describe('The text, for `Text`.'),
          namespace: fixed(text()).optional().describe('The namespace of the flow, for `FlowDescription`.'),
          flowId: fixed(text()).optional().describe('The flow, for `FlowDescription`.'),
        })
        .optional()
        .describe('The text.'),
      content: deprecated(fixed(text()).optional(), 'use `source`.'),
    }),
  examples: [
    {
      title: 'Text.',
      runs: false,
      code: dashboardOf(`  - id: words
    type: core.dashboard.chart.Markdown
    chartOptions:
      displayName: Read me
    source:
      type: Text
      content: |
        ## Welcome
        What you see here is about *company.team*.
`),
    },
  ],
});
