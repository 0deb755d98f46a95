import { AppError, type Chart, ChartRequest, dashboards } from '@millrace/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { readWindow } from '../../dashboards/chartWindow.ts';
import { toCsv } from '../../dashboards/csv.ts';
import {
  createDashboard,
  deleteDashboard,
  findDashboard,
  presentDashboard,
  updateDashboard,
} from '../../dashboards/dashboards.ts';
import { evaluateChart } from '../../dashboards/evaluateChart.ts';
import { refuseProblems, toValidation } from '../../dashboards/problem.ts';
import { readChart, readDashboard } from '../../dashboards/readDashboard.ts';
import { parseJson } from '../../parseJson.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';

/** The default time window of an unsaved chart. */
const previewWindow = { default: 'P8D', max: 'P366D' };

export function mountDashboards(app: FastifyInstance, product: Product): void {
  const { store, catalogue, clock } = product;

  mount(app, dashboards.listDashboards, async ({ query }) => {
    const q = query.q?.trim() ?? '';
    const { results, total } = await store.listDashboards({
      ...toPageQuery(query),
      ...(q === '' ? {} : { q }),
    });
    return { results: results.map((record) => presentDashboard(record, product, false)), total };
  });

  mount(app, dashboards.getDashboard, async ({ params }) =>
    presentDashboard(await findDashboard(params.id, product), product, true),
  );
  mount(app, dashboards.createDashboard, ({ body }) => createDashboard(body, product));
  mount(app, dashboards.updateDashboard, ({ params, body }) => updateDashboard(params.id, body, product));
  mount(app, dashboards.deleteDashboard, ({ params }) => deleteDashboard(params.id, product));

  mount(app, dashboards.validateDashboard, ({ body }) =>
    toValidation(readDashboard(body, catalogue).problems),
  );
  mount(app, dashboards.validateChart, ({ body }) => toValidation(readChart(body, catalogue).problems));

  const saved = async (ids: { id: string; chartId: string }, request: ChartRequest) => {
    const { definition } = readDashboard((await findDashboard(ids.id, product)).source, catalogue);
    const chart = definition?.charts.find((each) => each.id === ids.chartId);
    if (!definition || !chart) throw new AppError('not-found', `there is no chart "${ids.chartId}"`);
    return evaluateChart(chart, readWindow(request, definition.timeWindow, clock()), request, product);
  };
  mount(app, dashboards.getChartData, ({ params, body }) => saved(params, body));
  mount(app, dashboards.exportChart, async ({ params, body, reply }) => {
    sendCsv(reply, params.chartId, (await saved(params, body)).results);
  });

  const previewed = async (text: string, contentType: string | undefined) => {
    const { chart, request } = readPreview(text, contentType, product);
    const rows = await evaluateChart(chart, readWindow(request, previewWindow, clock()), request, product);
    return { chart, rows };
  };
  mount(
    app,
    dashboards.previewChart,
    async ({ body, request }) => (await previewed(body, request.headers['content-type'])).rows,
  );
  mount(app, dashboards.exportChartSource, async ({ body, request, reply }) => {
    const { chart, rows } = await previewed(body, request.headers['content-type']);
    sendCsv(reply, chart.id, rows.results);
  });
}

const Preview = z.looseObject({ chart: z.string(), globalFilter: ChartRequest.nullish() });

/** Reads the source of a chart, or JSON with that source and the dashboard's filters. */
function readPreview(
  text: string,
  contentType: string | undefined,
  { catalogue }: Product,
): { chart: Chart; request: ChartRequest } {
  const isJson = contentType?.includes('json') === true;
  const preview = isJson ? Preview.safeParse(parseJson(text)) : undefined;
  if (preview && !preview.success) {
    throw new AppError(
      'illegal-argument',
      `the body must be {"chart": "<YAML>"}: ${z.prettifyError(preview.error)}`,
    );
  }
  const { chart, problems } = readChart(preview?.data.chart ?? text, catalogue);
  refuseProblems(problems);
  if (!chart) throw new AppError('invalid-entity', 'the text is not a chart');
  return { chart, request: preview?.data.globalFilter ?? {} };
}

function sendCsv(reply: FastifyReply, name: string, rows: Parameters<typeof toCsv>[0]): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w-]/g, '_')}.csv"`)
    .send(toCsv(rows));
}
