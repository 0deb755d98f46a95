import type { Chart } from '@millrace/contract';
import type { DrawnChart, PluginCatalogue } from '@millrace/plugin-kit';
import { isMap } from './problem.ts';

/** The chart of the product that draws a chart: itself, or what a plugin has made of it. */
export function drawnAs(chart: Chart, catalogue: PluginCatalogue): DrawnChart {
  const definition = catalogue.find(chart.type)?.definition;
  const chartOptions = isMap(chart.chartOptions) ? chart.chartOptions : {};
  const itself = { type: definition?.type ?? chart.type, chartOptions };
  if (definition?.kind !== 'chart' || !definition.drawAs) return itself;
  const drawn = definition.drawAs({ chartOptions, ...(isMap(chart.data) ? { data: chart.data } : {}) });
  const target = catalogue.find(drawn.type)?.definition;
  const isOurs = target?.kind === 'chart' && !target.drawAs;
  return isOurs ? { type: target.type, chartOptions: { ...drawn.chartOptions } } : itself;
}
