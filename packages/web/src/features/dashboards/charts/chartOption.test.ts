import { expect, it } from 'vitest';
import { chartOption } from './chartOption.ts';
import { chartShape } from './chartShape.ts';

const words = { locale: 'en', read: (property: string) => property };

const series = chartShape({
  id: 'perDay',
  type: 'io.kestra.plugin.core.dashboard.chart.TimeSeries',
  chartOptions: { displayName: 'Per day', column: 'date', colorByColumn: 'state' },
  data: {
    type: 'core.dashboard.data.Executions',
    columns: {
      date: { field: 'START_DATE' },
      state: { field: 'STATE' },
      total: { agg: 'COUNT', graphStyle: 'BARS' },
      duration: { field: 'DURATION', agg: 'SUM', displayName: 'Duration' },
    },
  },
});

it('S2-2.18 a time series is stacked by its colour column, with the second number as a line of its own scale', () => {
  const rows = [
    { date: '2026-03-02', state: 'FAILED', total: 1, duration: 5 },
    { date: '2026-03-01', state: 'SUCCESS', total: 3, duration: 7 },
    { date: '2026-03-02', state: 'SUCCESS', total: 2, duration: 1 },
  ];
  expect(chartOption(series, rows, words)).toMatchObject({
    xAxis: { data: ['Mar 1', 'Mar 2'] },
    series: [
      {
        type: 'bar',
        name: 'FAILED',
        stack: 'all',
        data: [null, 1],
        itemStyle: { color: '--mr-chart-failed' },
      },
      { type: 'bar', name: 'SUCCESS', data: [3, 2] },
      { type: 'line', name: 'Duration', yAxisIndex: 1, data: [7, 6] },
    ],
  });
});

it('a pie shows one part for each value of its colour column', () => {
  const shape = chartShape({
    id: 'states',
    type: 'core.dashboard.chart.Pie',
    chartOptions: { displayName: 'States', colorByColumn: 'state', legend: { enabled: false } },
    data: { type: 'x', columns: { state: { field: 'STATE' }, total: { agg: 'COUNT' } } },
  });
  expect(chartOption(shape, [{ state: 'SUCCESS', total: 4 }], words)).toMatchObject({
    legend: { show: false },
    series: [{ type: 'pie', radius: ['48%', '72%'], data: [{ name: 'SUCCESS', value: 4 }] }],
  });
});

it('what a chart leaves out does not break it', () => {
  expect(chartShape({ id: 'odd', type: 'nothing.Known' })).toMatchObject({
    title: 'odd',
    width: 6,
    columns: [],
  });
});

it('a chart of a plugin is drawn as the chart of the product that it names', () => {
  const shape = chartShape({
    id: 'ranking',
    type: 'acme.Ranking',
    chartOptions: { displayName: 'Sizes', by: 'name' },
    drawnAs: {
      type: 'core.dashboard.chart.Pie',
      chartOptions: { displayName: 'Sizes', colorByColumn: 'name' },
    },
  });
  expect(shape).toMatchObject({ kind: 'Pie', title: 'Sizes', colour: 'name' });
});
