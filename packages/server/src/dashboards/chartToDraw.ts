import type { Chart } from '@millrace/contract';
import type { DrawnChart, PluginCatalogue } from '@millrace/plugin-kit';
import { isMap } from './problem.ts';

/** The product's chart that draws a chart: the chart itself, or the one its plugin converts it to. */
export function chartToDraw(chart: Chart, catalogue: PluginCatalogue): DrawnChart {
  const definition = catalogue.find(chart.type)?.definition;
  const chartOptions = isMap(chart.chartOptions) ? chart.chartOptions : {};
  const itself = { type: definition?.type ?? chart.type, chartOptions };
  if (definition?.kind !== 'chart' || !definition.drawAs) return itself;
  const drawn = definition.drawAs({ chartOptions, ...(isMap(chart.data) ? { data: chart.data } : {}) });
  const target = catalogue.find(drawn.type)?.definition;
  const isOurs = target?.kind === 'chart' && !target.drawAs;
  return isOurs ? { type: target.type, chartOptions: { ...drawn.chartOptions } } : itself;
}
