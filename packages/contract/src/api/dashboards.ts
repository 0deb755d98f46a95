import { z } from 'zod';
import { ChartRequest, ChartRow, Dashboard } from '../dashboard.ts';
import { endpoint } from '../endpoint.ts';
import { FlowValidation } from '../flow.ts';
import { Paging, pagedOf } from '../paging.ts';

const ById = z.object({ id: z.string() });
const ChartById = ById.extend({ chartId: z.string() });

export const listDashboards = endpoint({
  method: 'GET',
  path: '/dashboards',
  summary: 'Lists dashboards',
  query: z.looseObject({ ...Paging.shape, q: z.string().optional() }),
  reply: pagedOf(Dashboard),
});

export const getDashboard = endpoint({
  method: 'GET',
  path: '/dashboards/{id}',
  summary: 'Reads a dashboard with its source',
  params: ById,
  reply: Dashboard,
});

export const createDashboard = endpoint({
  method: 'POST',
  path: '/dashboards',
  summary: 'Creates a dashboard from its YAML source',
  body: z.string(),
  bodyKind: 'yaml',
  reply: Dashboard,
});

export const updateDashboard = endpoint({
  method: 'PUT',
  path: '/dashboards/{id}',
  summary: 'Saves a dashboard',
  params: ById,
  body: z.string(),
  bodyKind: 'yaml',
  reply: Dashboard,
});

export const deleteDashboard = endpoint({
  method: 'DELETE',
  path: '/dashboards/{id}',
  summary: 'Deletes a dashboard',
  params: ById,
});

export const validateDashboard = endpoint({
  method: 'POST',
  path: '/dashboards/validate',
  summary: 'Checks the source of a dashboard',
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowValidation,
});

export const validateChart = endpoint({
  method: 'POST',
  path: '/dashboards/validate/chart',
  summary: 'Checks the source of one chart',
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowValidation,
});

export const getChartData = endpoint({
  method: 'POST',
  path: '/dashboards/{id}/charts/{chartId}',
  summary: 'Reads the rows of a chart',
  params: ChartById,
  body: ChartRequest,
  reply: pagedOf(ChartRow),
});

/** The body is the YAML of a chart, or JSON `{chart, globalFilter}` with that YAML inside. */
export const previewChart = endpoint({
  method: 'POST',
  path: '/dashboards/charts/preview',
  summary: 'Reads the rows of a chart that need not be saved',
  body: z.string(),
  bodyKind: 'yaml',
  reply: pagedOf(ChartRow),
});

export const exportChart = endpoint({
  method: 'POST',
  path: '/dashboards/{id}/charts/{chartId}/export/to-csv',
  summary: 'Downloads the rows of a chart as CSV',
  params: ChartById,
  body: ChartRequest,
  replyKind: 'file',
});

export const exportChartSource = endpoint({
  method: 'POST',
  path: '/dashboards/charts/export/to-csv',
  summary: 'Downloads the rows of a chart that need not be saved as CSV',
  body: z.string(),
  bodyKind: 'yaml',
  replyKind: 'file',
});
