import { type ChartRow, dashboards } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { shownTimeZone } from '../../format/timeZone.ts';

const everyRow = 1_000;

export const dashboardsQuery = () =>
  queryOptions({
    queryKey: ['dashboards', currentTenant()],
    queryFn: ({ signal }) => call(dashboards.listDashboards, { query: { size: everyRow }, signal }),
    staleTime: 30_000,
  });

export const dashboardQuery = (id: string) =>
  queryOptions({
    queryKey: ['dashboards', currentTenant(), id],
    queryFn: ({ signal }) => call(dashboards.getDashboard, { params: { id }, signal }),
  });

export interface ChartWindow {
  startDate: string;
  endDate: string;
}

export interface ChartPage {
  rows: ChartRow[];
  total: number;
  /** What was asked for. */
  window?: ChartWindow;
}

export const chartQuery = (id: string, chartId: string, key: unknown, body: () => ChartWindow & Paging) =>
  queryOptions({
    queryKey: ['dashboards', currentTenant(), id, 'chart', chartId, key],
    queryFn: async ({ signal }): Promise<ChartPage> => {
      const window = body();
      const { results, total } = await call(dashboards.getChartData, {
        params: { id, chartId },
        body: { ...window, timeZone: shownTimeZone() },
        signal,
        failures: 'handled',
      });
      return { rows: results, total, window };
    },
    placeholderData: keepPreviousData,
  });

/** The rows of a chart that is not saved yet. */
export const previewQuery = (source: string, key: unknown, body: () => ChartWindow & Paging) =>
  queryOptions({
    queryKey: ['dashboards', currentTenant(), 'preview', source, key],
    queryFn: async ({ signal }): Promise<ChartPage> => {
      const window = body();
      const { results, total } = await call(dashboards.previewChart, {
        // JSON is YAML: the chart as its author wrote it, and the window to look at.
        body: JSON.stringify({ chart: source, globalFilter: { ...window, timeZone: shownTimeZone() } }),
        headers: { 'Content-Type': 'application/json' },
        signal,
        failures: 'handled',
      });
      return { rows: results, total, window };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

interface Paging {
  pageSize?: number;
  pageNumber?: number;
}
