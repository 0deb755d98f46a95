import { Chart } from '@millrace/contract';
import { parseDuration, readYaml } from '@millrace/engine';
import { checkProperties, dashboardProperties, type PluginCatalogue } from '@millrace/plugin-kit';
import { checkChart } from './checkChart.ts';
import { errorsOf, isMap, join, type Problem } from './problem.ts';

/** The author's dashboard, with the default time window where there is none. */
export interface DashboardDefinition {
  readonly id?: string;
  readonly title: string;
  readonly description?: string;
  readonly timeWindow: { readonly default: string; readonly max: string };
  readonly charts: readonly Chart[];
}

export interface DashboardReading {
  /** The best reading; absent when the text is no map at all. Fit to be saved only without problems. */
  readonly definition?: DashboardDefinition;
  readonly problems: readonly Problem[];
}

const dayMs = 86_400_000;
const maxWindowMs = 366 * dayMs;
const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}$/;

export function readDashboard(source: string, catalogue: PluginCatalogue): DashboardReading {
  const { data, problems } = readMap(source, 'a dashboard');
  if (!data) return { problems };
  const found: Problem[] = [
    ...problems,
    ...errorsOf(checkProperties(dashboardProperties, data, { isRendered: false })),
  ];
  const definition = toDefinition(data);
  found.push(...checkWindow(definition));
  if (definition.id !== undefined && !idPattern.test(definition.id)) {
    found.push({
      path: 'id',
      message: `"${definition.id}" must be letters digits - and _ and start with a letter or digit`,
    });
  }
  const ids = new Set<string>();
  for (const [index, chart] of listOf(data.charts).entries()) {
    const path = `charts[${index}]`;
    found.push(
      ...checkChart(chart, catalogue).map((problem) => ({ ...problem, path: join(path, problem.path) })),
    );
    const id = isMap(chart) ? chart.id : undefined;
    if (typeof id !== 'string') continue;
    if (ids.has(id)) found.push({ path: `${path}.id`, message: `"${id}" is the id of another chart` });
    ids.add(id);
  }
  return { definition, problems: found };
}

/** One chart alone, as the editor checks and previews it. */
export function readChart(
  source: string,
  catalogue: PluginCatalogue,
): { readonly chart?: Chart; readonly problems: readonly Problem[] } {
  const { data, problems } = readMap(source, 'a chart');
  if (!data) return { problems };
  const found = [...problems, ...checkChart(data, catalogue)];
  const chart = Chart.safeParse(data);
  return { ...(chart.success ? { chart: chart.data } : {}), problems: found };
}

function readMap(
  source: string,
  what: string,
): { readonly data?: Readonly<Record<string, unknown>>; readonly problems: Problem[] } {
  const reading = readYaml(source);
  if ('problem' in reading) {
    const before = source.slice(0, reading.problem.start).split('\n');
    const at = `at line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1}`;
    return { problems: [{ path: 'yaml', message: `${reading.problem.message} ${at}` }] };
  }
  const problems = reading.keyProblems.map(({ message }) => ({ path: 'yaml', message }));
  if (isMap(reading.data)) return { data: reading.data, problems };
  return { problems: [...problems, { path: '', message: `the text is not ${what}; a map was expected` }] };
}

function toDefinition(data: Readonly<Record<string, unknown>>): DashboardDefinition {
  const window = isMap(data.timeWindow) ? data.timeWindow : {};
  const charts = listOf(data.charts).flatMap((chart) => {
    const read = Chart.safeParse(chart);
    return read.success ? [read.data] : [];
  });
  return {
    ...(data.id === undefined || data.id === null ? {} : { id: String(data.id) }),
    title: typeof data.title === 'string' ? data.title : '',
    ...(typeof data.description === 'string' ? { description: data.description } : {}),
    timeWindow: {
      default: typeof window.default === 'string' ? window.default : 'P30D',
      max: typeof window.max === 'string' ? window.max : 'P366D',
    },
    charts,
  };
}

function checkWindow({ timeWindow }: DashboardDefinition): Problem[] {
  const [shown, longest] = [parseDuration(timeWindow.default), parseDuration(timeWindow.max)];
  if (shown === undefined || longest === undefined) return [];
  const tooLong = (['default', 'max'] as const)
    .filter((name) => (parseDuration(timeWindow[name]) ?? 0) > maxWindowMs)
    .map((name) => ({
      path: `timeWindow.${name}`,
      message: `"${timeWindow[name]}" must be at most 366 days`,
    }));
  if (tooLong.length > 0 || shown <= longest) return tooLong;
  const message = `"${timeWindow.default}" must not be longer than the maximum "${timeWindow.max}"`;
  return [{ path: 'timeWindow.default', message }];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
