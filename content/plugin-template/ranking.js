/** A chart: options of its own, drawn by one of the charts of the product. */
export const ranking = ({ defineChart, z, chartWords, choice, fixed, text, aDataFilter }) =>
  defineChart({
    type: 'acme.Ranking',
    title: 'Ranking',
    description: 'Bars or slices, without all that surrounds them elsewhere.',
    input: z.object({
      chartOptions: z
        .strictObject({
          // The heading, the description and the width of every chart.
          ...chartWords,
          by: fixed(text()).describe('The column that is ranked.'),
          look: fixed(choice(['BARS', 'SLICES'])).default('BARS').describe('How it looks.'),
        })
        .describe('How the chart looks.'),
      data: aDataFilter().describe('What the chart shows.'),
    }),
    examples: [
      {
        title: 'Flows by their executions.',
        runs: false,
        code: `title: Who runs most
charts:
  - id: ranking
    type: acme.Ranking
    chartOptions:
      displayName: Executions
      by: flow
    data:
      type: core.dashboard.data.Executions
      columns:
        flow:
          field: FLOW_ID
        count:
          agg: COUNT
`,
      },
    ],
    drawAs({ chartOptions: { by, look, ...words } }) {
      return look === 'SLICES'
        ? { type: 'core.dashboard.chart.Pie', chartOptions: { ...words, colorByColumn: by } }
        : { type: 'core.dashboard.chart.Bar', chartOptions: { ...words, column: by, legend: { enabled: false } } };
    },
  });
