import { type ChartRow, logLevels, stateTypes } from '@millrace/contract';
import { formatDuration, niceStep, tickLabel } from '../../../format/duration.ts';
import { stateOrder } from '../../stats/index.ts';
import { type ChartColumn, type ChartShape, isTime, numberOf, wordOf } from './chartShape.ts';
import { timeLabels, timeline, type Window } from './timeline.ts';

export interface Drawing {
  locale: string;
  /** Pixels from side to side. */
  width: number;
  /** What the rows were asked for. */
  window?: Window | undefined;
  /** Names of series that are out of the picture. */
  hidden: ReadonlySet<string>;
  /** Drawn at once, for those who asked for less motion. */
  isStill?: boolean;
  /** The value of a custom property, such as a colour. */
  read: (property: string) => string;
  /** A value in words, such as a state. */
  say: (value: string) => string;
}

/** A series, or a part of a pie. */
export interface Part {
  key: string;
  label: string;
  colour: string;
  value: string | undefined;
}

interface DrawnSeries {
  type: 'bar' | 'line' | 'scatter';
  id: string;
  name: string;
  data: (number | null)[];
  stack?: string;
  yAxisIndex?: number;
  itemStyle: { color: string };
  symbolSize?: number;
  barMaxWidth?: number;
  tooltip: { valueFormatter: (value: unknown) => string };
}

/** A chart and its rows as what ECharts draws, with what its colours mean. */
export function chartOption(
  shape: ChartShape,
  rows: readonly ChartRow[],
  drawing: Drawing,
): { option: Record<string, unknown>; parts: Part[] } {
  const text = { color: drawing.read('--mr-text-muted'), fontFamily: drawing.read('--mr-font') };
  const common = {
    animation: !drawing.isStill,
    animationDuration: 200,
    textStyle: text,
  };
  const tooltip = {
    confine: true,
    backgroundColor: drawing.read('--mr-surface'),
    borderColor: drawing.read('--mr-border'),
    textStyle: { color: drawing.read('--mr-text'), fontFamily: drawing.read('--mr-font'), fontSize: 12 },
  };
  if (shape.kind === 'Pie') {
    const { series, parts } = pie(shape, rows, drawing);
    return { parts, option: { ...common, tooltip: { ...tooltip, trigger: 'item' }, series: [series] } };
  }
  const line = drawing.read('--mr-border');
  const column = axisOf(shape);
  const present = rows.map((row) => wordOf(row[column]));
  const places = isTime(shape) ? timeline(present, drawing.window) : [...new Set(present)];
  const labels = isTime(shape) ? timeLabels(places, drawing.locale, drawing.window) : places.map(drawing.say);
  const { series, parts, values } = seriesOf(shape, rows, places, drawing);
  const axis = {
    axisLabel: text,
    axisLine: { lineStyle: { color: line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: line } },
  };
  const visible = series.filter(({ id }) => !drawing.hidden.has(id));
  const scale = (index: 0 | 1) => {
    const value = values[index];
    const own = visible.filter(({ yAxisIndex = 0 }) => yAxisIndex === index);
    return {
      type: 'value',
      splitNumber: 4,
      ...(value?.aggregation === 'COUNT' && { minInterval: 1 }),
      ...axis,
      axisLine: { show: false },
      ...(isDuration(value)
        ? durationScale(highestOf(own, places.length), text)
        : { axisLabel: { ...text, formatter: (amount: number) => amountOf(value, amount, drawing.locale) } }),
    };
  };
  const hasSecond = series.some(({ yAxisIndex }) => yAxisIndex === 1);
  return {
    parts,
    option: {
      ...common,
      tooltip: {
        ...tooltip,
        trigger: 'axis',
        axisPointer: { type: 'shadow', shadowStyle: { opacity: 0.12 } },
      },
      grid: { left: 4, right: 8, top: 12, bottom: 4, containLabel: true },
      xAxis: {
        type: 'category',
        data: labels,
        ...axis,
        axisLabel: { ...text, hideOverlap: true, ...(!isTime(shape) && fitLabels(labels, drawing.width)) },
      },
      yAxis: hasSecond ? [scale(0), { ...scale(1), splitLine: { show: false } }] : scale(0),
      series: visible,
    },
  };
}

const axisOf = (shape: ChartShape): string =>
  shape.axis ?? shape.columns.find(({ isAggregated }) => !isAggregated)?.name ?? '';

function seriesOf(
  shape: ChartShape,
  rows: readonly ChartRow[],
  places: readonly string[],
  { read, say, locale }: Drawing,
): { series: DrawnSeries[]; parts: Part[]; values: ChartColumn[] } {
  const column = axisOf(shape);
  const values = shape.columns.filter(({ isAggregated }) => isAggregated);
  // Without a colour column, the columns that are left over tell bars apart.
  const colour =
    shape.colour ?? shape.columns.find(({ name, isAggregated }) => !isAggregated && name !== column)?.name;
  const names = colour ? inTheirOrder(rows.map((row) => wordOf(row[colour]))) : [''];
  const all = values.flatMap((value, index) =>
    (index === 0 ? names : ['']).map((name) => ({ value, index, name, key: name || value.label })),
  );
  const colours = coloursOf(all.map(({ key }) => key));
  const series = all.map(({ value, index, name, key }): DrawnSeries => {
    const own = rows.filter((row) => index > 0 || !colour || wordOf(row[colour]) === name);
    const type = typeOf(value.graphStyle, index, isTime(shape));
    return {
      type,
      id: key,
      name: say(key),
      ...(type === 'bar' && { stack: 'all', barMaxWidth: 48 }),
      ...(index > 0 && { yAxisIndex: 1 }),
      ...(type === 'scatter' && { symbolSize: 8 }),
      itemStyle: { color: read(colours.get(key) ?? '') },
      data: places.map((place) => addUp(own, column, place, value.name)),
      tooltip: {
        valueFormatter: (amount) =>
          amount === null || amount === undefined ? '–' : amountOf(value, numberOf(amount), locale),
      },
    };
  });
  const parts = series.map(({ id, name, data, itemStyle }, index) => {
    const value = all[index]?.value;
    const adds = value?.aggregation === 'COUNT' || value?.aggregation === 'SUM';
    const total = data.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
    return {
      key: id,
      label: name,
      colour: itemStyle.color,
      value: adds ? amountOf(value, total, locale) : undefined,
    };
  });
  return { series, parts, values };
}

function pie(
  shape: ChartShape,
  rows: readonly ChartRow[],
  { read, say, hidden, locale }: Drawing,
): { series: object; parts: Part[] } {
  const value = shape.columns.find(({ isAggregated }) => isAggregated);
  const name = shape.colour ?? shape.columns.find(({ isAggregated }) => !isAggregated)?.name ?? '';
  const slices = rows
    .map((row) => ({ key: wordOf(row[name]), amount: numberOf(row[value?.name ?? '']) }))
    .toSorted((a, b) => b.amount - a.amount);
  const colours = coloursOf(slices.map(({ key }) => key));
  const parts = slices.map(({ key, amount }) => ({
    key,
    label: say(key),
    colour: read(colours.get(key) ?? ''),
    value: amountOf(value, amount, locale),
  }));
  const series = {
    type: 'pie',
    radius: shape.graphStyle === 'PIE' ? '88%' : ['60%', '88%'],
    label: { show: false },
    itemStyle: { borderColor: read('--mr-surface'), borderWidth: 2 },
    tooltip: { valueFormatter: (amount: unknown) => amountOf(value, numberOf(amount), locale) },
    data: slices
      .filter(({ key }) => !hidden.has(key))
      .map(({ key, amount }) => ({
        name: say(key),
        value: amount,
        itemStyle: { color: read(colours.get(key) ?? '') },
      })),
  };
  return { series, parts };
}

/** States stand as in every other chart, what went well at the ground; other words by the alphabet. */
function inTheirOrder(words: readonly string[]): string[] {
  const order: readonly string[] = stateOrder;
  return [...new Set(words)].sort((a, b) => order.indexOf(a) - order.indexOf(b) || (a < b ? -1 : 1));
}

const typeOf = (style: string | undefined, index: number, time: boolean): DrawnSeries['type'] =>
  style === 'POINTS' ? 'scatter' : style === 'LINES' || (!style && time && index > 0) ? 'line' : 'bar';

const isDuration = (column: ChartColumn | undefined): boolean =>
  column?.field === 'DURATION' && column.aggregation !== 'COUNT';

const amountOf = (column: ChartColumn | undefined, amount: number, locale: string): string =>
  isDuration(column)
    ? formatDuration(amount * 1_000)
    : amount.toLocaleString(locale, { maximumFractionDigits: 2 });

function addUp(rows: readonly ChartRow[], column: string, place: string, value: string): number | null {
  const own = rows.filter((row) => wordOf(row[column]) === place);
  return own.length === 0 ? null : own.reduce((total, row) => total + numberOf(row[value]), 0);
}

const families = ['sky', 'green', 'amber', 'violet', 'cyan', 'brown', 'slate', 'red', 'iron'];

/**
 * The custom property of each value's colour: states and levels have theirs. Another word gets the same one in every
 * chart, unless a word of this chart has it already.
 */
export function coloursOf(values: readonly string[]): ReadonlyMap<string, string> {
  const free = new Set(families);
  return new Map(
    [...new Set(values)].map((value) => {
      if (hasOwn(value)) return [value, `--mr-chart-${value.toLowerCase()}`];
      if (free.size === 0) for (const family of families) free.add(family);
      const from = hashOf(value) % families.length;
      const inTurn = [...families.slice(from), ...families.slice(0, from)];
      const family = inTurn.find((one) => free.has(one)) ?? 'slate';
      free.delete(family);
      return [value, `--mr-${family}-solid`];
    }),
  );
}

const hasOwn = (value: string): boolean =>
  stateTypes.some((state) => state === value) || logLevels.some((level) => level === value);

function hashOf(value: string): number {
  let hash = 0;
  for (const letter of value) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}

/** An axis of seconds that is marked at round durations: 1 min and 2 min, not 50 s and 1 min 40 s. */
function durationScale(highestSeconds: number, text: object) {
  const stepMs = niceStep(Math.max(highestSeconds * 1_000, 1), 4);
  const marks = Math.max(1, Math.ceil((highestSeconds * 1_000) / stepMs));
  return {
    interval: stepMs / 1_000,
    max: (marks * stepMs) / 1_000,
    axisLabel: { ...text, formatter: (seconds: number) => tickLabel(Math.round(seconds * 1_000), stepMs) },
  };
}

interface Drawn {
  data: readonly (number | null)[];
  stack?: string;
}

/** The highest place of what is drawn, stacked parts on top of each other. */
function highestOf(series: readonly Drawn[], places: number): number {
  let highest = 0;
  for (let place = 0; place < places; place += 1) {
    let stacked = 0;
    for (const { data, stack } of series) {
      const amount = data[place] ?? 0;
      if (stack) stacked += amount;
      highest = Math.max(highest, amount, stacked);
    }
  }
  return highest;
}

/** Pixels of a letter on an axis, on average; of the scales beside the bars; and of the shortest label worth reading. */
const letter = 6.6;
const beside = 64;
const shortest = 68;
const slanted = 110;

/** How the names under bars fit a width: whole, cut, or slanted. The tooltip has them whole. */
export function fitLabels(labels: readonly string[], width: number): Record<string, unknown> {
  const each = (width - beside) / Math.max(1, labels.length);
  const longest = Math.max(0, ...labels.map((label) => label.length)) * letter;
  if (longest <= each - 8) return { interval: 0, rotate: 0 };
  if (each >= shortest) return { interval: 0, rotate: 0, formatter: cutTo(each - 8) };
  return { interval: each < 14 ? 'auto' : 0, rotate: 38, formatter: cutTo(slanted) };
}

/** Names with dots differ at their end, so their end is kept; of other words people read the beginning. */
const cutTo = (width: number) => {
  const letters = Math.max(2, Math.floor(width / letter));
  return (label: string): string =>
    label.length <= letters
      ? label
      : label.includes('.')
        ? `…${label.slice(1 - letters)}`
        : `${label.slice(0, letters - 1)}…`;
};
