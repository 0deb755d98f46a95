import type { ChartRow } from '@millrace/contract';
import type { ChartShape } from './chartShape.ts';
import { colourOf } from './colourOf.ts';

interface Words {
  locale: string;
  /** The value of a custom property, such as a colour. */
  read: (property: string) => string;
}

interface DrawnSeries {
  type: 'bar' | 'line' | 'scatter';
  name: string;
  data: (number | null)[];
  stack?: string;
  yAxisIndex?: number;
  itemStyle: { color: string };
  symbolSize?: number;
}

/** A chart and its rows as what ECharts draws. */
export function chartOption(
  shape: ChartShape,
  rows: readonly ChartRow[],
  words: Words,
): Record<string, unknown> {
  const text = { color: words.read('--mr-text-muted'), fontFamily: words.read('--mr-font') };
  const line = words.read('--mr-border');
  const common = {
    animationDuration: 200,
    textStyle: text,
    legend: shape.hasLegend
      ? { bottom: 0, type: 'scroll', itemGap: 20, itemWidth: 12, itemHeight: 12, textStyle: text }
      : { show: false },
  };
  if (shape.kind === 'Pie')
    return { ...common, tooltip: { trigger: 'item' }, series: [pie(shape, rows, words)] };
  const { places, labels } = axisOf(shape, rows, words.locale);
  const series = seriesOf(shape, rows, places, words);
  const axis = {
    axisLabel: text,
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line } },
  };
  return {
    ...common,
    tooltip: { trigger: 'axis' },
    grid: { left: 8, right: 8, top: 16, bottom: shape.hasLegend ? 34 : 8, containLabel: true },
    xAxis: { type: 'category', data: labels, ...axis },
    yAxis: series.some(({ yAxisIndex }) => yAxisIndex === 1)
      ? [
          { type: 'value', ...axis },
          { type: 'value', ...axis, splitLine: { show: false } },
        ]
      : { type: 'value', ...axis },
    series,
  };
}

function axisOf(shape: ChartShape, rows: readonly ChartRow[], locale: string) {
  const column = shape.axis ?? shape.columns.find(({ isAggregated }) => !isAggregated)?.name ?? '';
  const places = [...new Set(rows.map((row) => wordOf(row[column])))];
  if (shape.kind === 'TimeSeries') places.sort();
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const labels = places.map((place) =>
    shape.kind === 'TimeSeries' && !Number.isNaN(Date.parse(place)) ? date.format(new Date(place)) : place,
  );
  return { column, places, labels };
}

function seriesOf(
  shape: ChartShape,
  rows: readonly ChartRow[],
  places: readonly string[],
  words: Words,
): DrawnSeries[] {
  const column = shape.axis ?? shape.columns.find(({ isAggregated }) => !isAggregated)?.name ?? '';
  const values = shape.columns.filter(({ isAggregated }) => isAggregated);
  // Without a colour column, the columns that are left over tell bars apart.
  const colour =
    shape.colour ?? shape.columns.find(({ name, isAggregated }) => !isAggregated && name !== column)?.name;
  const names = colour ? [...new Set(rows.map((row) => wordOf(row[colour])))].sort() : [''];
  return values.flatMap((value, index) =>
    (index === 0 ? names : ['']).map((name): DrawnSeries => {
      const own = rows.filter((row) => index > 0 || !colour || wordOf(row[colour]) === name);
      const label = name || value.label;
      const type = typeOf(value.graphStyle, index, shape.kind === 'TimeSeries');
      return {
        type,
        name: label,
        ...(type === 'bar' && { stack: 'all' }),
        ...(index > 0 && { yAxisIndex: 1 }),
        ...(type === 'scatter' && { symbolSize: 8 }),
        itemStyle: { color: words.read(colourOf(label)) },
        data: places.map((place) => addUp(own, column, place, value.name)),
      };
    }),
  );
}

function pie(shape: ChartShape, rows: readonly ChartRow[], { read }: Words): object {
  const value = shape.columns.find(({ isAggregated }) => isAggregated)?.name ?? '';
  const name = shape.colour ?? shape.columns.find(({ isAggregated }) => !isAggregated)?.name ?? '';
  return {
    type: 'pie',
    radius: shape.graphStyle === 'PIE' ? '72%' : ['48%', '72%'],
    center: ['50%', shape.hasLegend ? '45%' : '50%'],
    label: { show: false },
    itemStyle: { borderColor: read('--mr-surface'), borderWidth: 2 },
    data: rows.map((row) => ({
      name: wordOf(row[name]),
      value: numberOf(row[value]),
      itemStyle: { color: read(colourOf(wordOf(row[name]))) },
    })),
  };
}

const typeOf = (style: string | undefined, index: number, isTime: boolean): DrawnSeries['type'] =>
  style === 'POINTS' ? 'scatter' : style === 'LINES' || (!style && isTime && index > 0) ? 'line' : 'bar';

function addUp(rows: readonly ChartRow[], column: string, place: string, value: string): number | null {
  const own = rows.filter((row) => wordOf(row[column]) === place);
  return own.length === 0 ? null : own.reduce((total, row) => total + numberOf(row[value]), 0);
}

export const numberOf = (value: unknown): number => {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
};

export const wordOf = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
