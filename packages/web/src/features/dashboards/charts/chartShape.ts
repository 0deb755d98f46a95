import type { Chart } from '@millrace/contract';

export type ChartKind = 'TimeSeries' | 'Bar' | 'Pie' | 'Table' | 'KPI' | 'Markdown';
const kinds: readonly ChartKind[] = ['TimeSeries', 'Bar', 'Pie', 'Table', 'KPI', 'Markdown'];

export interface ChartColumn {
  name: string;
  label: string;
  field: string | undefined;
  isAggregated: boolean;
  /** `COUNT`, `SUM` and the like. */
  aggregation: string | undefined;
  graphStyle: string | undefined;
  alignment: 'left' | 'right' | 'center';
}

/** A chart as its author wrote it, read for drawing. Missing and unexpected properties are left out, never an error. */
export interface ChartShape {
  id: string;
  kind: ChartKind | undefined;
  title: string;
  description: string | undefined;
  width: number;
  columns: ChartColumn[];
  /** The column along the axis, and the one that gives the colours. */
  axis: string | undefined;
  colour: string | undefined;
  graphStyle: string | undefined;
  hasLegend: boolean;
  hasHeader: boolean;
  hasPages: boolean;
  isPercentage: boolean;
  markdown: string;
  /** The text is the description of a flow, which the server reads. */
  isFlowDescription: boolean;
}

export function chartShape(chart: Chart): ChartShape {
  const { type, chartOptions: options = {} } = chart.chartToDraw ?? chart;
  const kind = kinds.find((name) => type === name || type.endsWith(`.${name}`));
  return {
    id: chart.id,
    kind,
    title: textOf(options.displayName) ?? chart.id,
    description: textOf(options.description),
    width: typeof options.width === 'number' ? Math.min(12, Math.max(1, options.width)) : 6,
    columns: columnsOf(chart.data?.columns),
    axis: textOf(options.column),
    colour: textOf(options.colorByColumn),
    graphStyle: textOf(options.graphStyle),
    hasLegend: isOn(options.legend),
    hasHeader: isOn(options.header),
    hasPages: isOn(options.pagination),
    isPercentage: options.numberType === 'PERCENTAGE',
    isFlowDescription: mapOf(chart.source).type === 'FlowDescription',
    markdown: textOf(chart.content) ?? textOf(mapOf(chart.source).content) ?? '',
  };
}

const columnsOf = (columns: unknown): ChartColumn[] =>
  Object.entries(mapOf(columns)).map(([name, value]) => {
    const column = mapOf(value);
    return {
      name,
      label: textOf(column.displayName) ?? name,
      field: textOf(column.field),
      isAggregated: column.agg !== undefined,
      aggregation: textOf(column.agg),
      graphStyle: textOf(column.graphStyle),
      alignment:
        column.columnAlignment === 'RIGHT'
          ? 'right'
          : column.columnAlignment === 'CENTER'
            ? 'center'
            : 'left',
    };
  });

const mapOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const isOn = (value: unknown): boolean => mapOf(value).enabled !== false;

export const isTime = (shape: ChartShape): boolean => shape.kind === 'TimeSeries';

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
