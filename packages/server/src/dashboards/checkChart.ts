import type { PluginCatalogue } from '@millrace/plugin-kit';
import { type ChartColumn, type ChartData, columnsOf, readData } from './chartData.ts';
import { chartToDraw } from './chartToDraw.ts';
import { errorsOf, isMap, join, type Problem } from './problem.ts';

const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** How many columns may be aggregated; a chart that is not listed takes any number. */
const aggregated: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'core.dashboard.chart.TimeSeries': [1, 2],
  'core.dashboard.chart.Bar': [1, 1],
  'core.dashboard.chart.Pie': [1, 1],
  'core.dashboard.chart.KPI': [1, 1],
};

/** Everything wrong with a chart as its author wrote it. */
export function checkChart(chart: unknown, catalogue: PluginCatalogue): Problem[] {
  if (!isMap(chart)) return [{ path: '', message: 'a chart is a map with an id and a type' }];
  const { id, type, ...own } = chart;
  const problems: Problem[] = [];
  if (typeof id !== 'string' || !idPattern.test(id)) {
    problems.push({
      path: 'id',
      message: `${quote(id)} must be letters digits - and _ and start with a letter or digit`,
    });
  }
  const entry = typeof type === 'string' ? catalogue.find(type) : undefined;
  if (entry?.kind !== 'chart')
    return [...problems, { path: 'type', message: `Invalid type: ${plain(type)}` }];
  problems.push(...errorsOf(entry.check(own)));
  if (own.data === undefined || problems.length > 0) return problems;
  const inData = checkData(own.data, catalogue).map((problem) => ({
    ...problem,
    path: join('data', problem.path),
  }));
  if (inData.length > 0) return inData;
  const data = readData(own.data, catalogue);
  if (!data) return [];
  const drawn = chartToDraw({ ...own, id: String(id), type: entry.type }, catalogue);
  return checkColumns(drawn.type, drawn.chartOptions, data);
}

function checkData(data: unknown, catalogue: PluginCatalogue): Problem[] {
  if (!isMap(data)) return [{ path: '', message: 'must be a map with a type' }];
  const { type, ...own } = data;
  const entry = typeof type === 'string' ? catalogue.find(type) : undefined;
  if (entry?.kind !== 'dataFilter') return [{ path: 'type', message: `Invalid type: ${plain(type)}` }];
  return errorsOf(entry.check(own));
}

/** Checks how columns, options and filters fit together, which no schema of one property can express. */
function checkColumns(type: string, options: unknown, data: ChartData): Problem[] {
  const columns = columnsOf(data);
  const problems = [...columns].flatMap(([alias, column]) =>
    checkColumn(alias, column, [...columns.values()]),
  );
  const limits = aggregated[type];
  const count = [...columns.values()].filter(({ agg }) => agg !== undefined).length;
  if (limits && (count < limits[0] || count > limits[1])) {
    const wanted = limits[0] === limits[1] ? `${limits[0]} column` : `${limits[0]} or ${limits[1]} columns`;
    problems.push({
      path: 'data.columns',
      message: `this chart needs ${wanted} with \`agg\` and has ${count}`,
    });
  }
  for (const name of ['column', 'colorByColumn']) {
    const alias = isMap(options) ? options[name] : undefined;
    if (typeof alias !== 'string' || columns.has(alias)) continue;
    problems.push({ path: `chartOptions.${name}`, message: `"${alias}" is none of the columns` });
  }
  const axis = isMap(options) && typeof options.column === 'string' ? columns.get(options.column) : undefined;
  if (type.endsWith('.TimeSeries') && axis && !data.definition.dates?.includes(axis.field ?? '')) {
    problems.push({ path: 'chartOptions.column', message: `"${axis.field ?? ''}" is no date` });
  }
  for (const [index, { column }] of (data.orderBy ?? []).entries()) {
    if (columns.has(column)) continue;
    problems.push({ path: `data.orderBy[${index}].column`, message: `"${column}" is none of the columns` });
  }
  return problems;
}

function checkColumn(
  alias: string,
  { field, agg, labelKey }: ChartColumn,
  all: readonly ChartColumn[],
): Problem[] {
  const path = `data.columns.${alias}`;
  if (field === undefined && agg !== 'COUNT') {
    return [{ path, message: 'needs a field; only a COUNT can do without' }];
  }
  if (field === 'LABELS' && labelKey === undefined && agg !== 'COUNT') {
    return [{ path, message: 'needs the labelKey of the label' }];
  }
  if (field === 'MESSAGE' && all.some((column) => column.agg !== undefined)) {
    return [{ path, message: 'MESSAGE cannot stand beside columns with `agg`' }];
  }
  return [];
}

const quote = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const plain = (value: unknown): string => (typeof value === 'string' ? value : quote(value));
