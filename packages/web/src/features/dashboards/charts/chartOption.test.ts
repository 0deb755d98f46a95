import { expect, it } from 'vitest';
import { chartOption, coloursOf, fitLabels } from './chartOption.ts';
import { chartShape } from './chartShape.ts';

const words = {
  locale: 'en',
  width: 600,
  hidden: new Set<string>(),
  read: (property: string) => property,
  say: (value: string) => `the ${value}`,
};

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

it('S2-2.18 a time series is stacked by its colour column, with the second number as a line with its own scale', () => {
  const rows = [
    { date: '2026-03-02', state: 'FAILED', total: 1, duration: 5 },
    { date: '2026-03-01', state: 'SUCCESS', total: 3, duration: 7 },
    { date: '2026-03-02', state: 'SUCCESS', total: 2, duration: 1 },
  ];
  const { option, parts } = chartOption(series, rows, words);
  expect(option).toMatchObject({
    xAxis: { data: ['Mar 1', 'Mar 2'] },
    series: [
      { type: 'bar', id: 'SUCCESS', data: [3, 2] },
      {
        type: 'bar',
        id: 'FAILED',
        name: 'the FAILED',
        stack: 'all',
        data: [null, 1],
        itemStyle: { color: '--mr-chart-failed' },
      },
      { type: 'line', id: 'Duration', yAxisIndex: 1, data: [7, 6] },
    ],
  });
  expect(parts).toMatchObject([
    { key: 'SUCCESS', value: '5' },
    { key: 'FAILED', label: 'the FAILED', colour: '--mr-chart-failed', value: '1' },
    { key: 'Duration', value: '13.0 s' },
  ]);
});

it('a series that was taken out of the picture stays in the legend', () => {
  const rows = [{ date: '2026-03-02', state: 'FAILED', total: 1, duration: 5 }];
  const { option, parts } = chartOption(series, rows, { ...words, hidden: new Set(['FAILED']) });
  expect(option).toMatchObject({ series: [{ id: 'Duration' }] });
  expect(parts).toHaveLength(2);
});

it('a pie shows one part for each value of its colour column', () => {
  const shape = chartShape({
    id: 'states',
    type: 'core.dashboard.chart.Pie',
    chartOptions: { displayName: 'States', colorByColumn: 'state', legend: { enabled: false } },
    data: { type: 'x', columns: { state: { field: 'STATE' }, total: { agg: 'COUNT' } } },
  });
  const rows = [
    { state: 'FAILED', total: 1 },
    { state: 'SUCCESS', total: 4 },
  ];
  const { option } = chartOption(shape, rows, words);
  expect(option).toMatchObject({
    series: [{ type: 'pie', data: [{ value: 4 }, { name: 'the FAILED', value: 1 }] }],
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
    chartToDraw: {
      type: 'core.dashboard.chart.Pie',
      chartOptions: { displayName: 'Sizes', colorByColumn: 'name' },
    },
  });
  expect(shape).toMatchObject({ kind: 'Pie', title: 'Sizes', colour: 'name' });
});

it('no two words of a chart look alike as long as there are colours', () => {
  const words = ['a', 'j', 's', 'b', 'k', 't', 'c', 'l', 'u'];
  expect(new Set(coloursOf(words).values()).size).toBe(9);
  expect(coloursOf(['SUCCESS', 'ERROR']).get('ERROR')).toBe('--mr-chart-error');
});

it.each([
  ['whole where they fit', ['one', 'two'], 600, { rotate: 0 }],
  ['cut where they nearly do', ['x'.repeat(60), 'two'], 600, { rotate: 0, formatter: expect.any(Function) }],
  ['slanted where there are many', Array.from({ length: 20 }, () => 'some.namespace'), 600, { rotate: 38 }],
])('names under bars are %s', (_, labels, width, expected) => {
  expect(fitLabels(labels, width)).toMatchObject(expected);
});

it('of a namespace that is too long the end stays', () => {
  const { formatter } = fitLabels(['shop.payments.refunds.europe', 'b', 'c', 'd', 'e', 'f'], 600) as {
    formatter: (label: string) => string;
  };
  expect(formatter('shop.payments.refunds.europe')).toBe('…unds.europe');
  expect(formatter('b')).toBe('b');
});

it('S2-2.18 an axis of durations is marked at round ones', () => {
  const scaleFor = (duration: number) => {
    const { option } = chartOption(
      series,
      [{ date: '2026-03-02', state: 'FAILED', total: 1, duration }],
      words,
    );
    const [, second] = (option as { yAxis: { interval: number; max: number; axisLabel: Label }[] }).yAxis;
    const { interval = 0, max = 0, axisLabel } = second ?? {};
    const marks = Array.from({ length: Math.round(max / interval) + 1 }, (_, index) => index * interval);
    return marks.map((mark) => axisLabel?.formatter(mark));
  };
  interface Label {
    formatter: (seconds: number) => string;
  }
  expect(scaleFor(0.3)).toEqual(['0', '100 ms', '200 ms', '300 ms']);
  expect(scaleFor(50)).toEqual(['0', '15 s', '30 s', '45 s', '1 min']);
  expect(scaleFor(1_400)).toEqual(['0', '10 min', '20 min', '30 min']);
});
