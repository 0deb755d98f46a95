import { Chart } from '@millrace/contract';
import { parse, stringify } from 'yaml';

export interface SourceChart {
  chart: Chart;
  source: string;
}

/** The charts that a source holds, for its preview. While it cannot be read there are none. */
export function chartsIn(source: string): SourceChart[] {
  try {
    const read: unknown = parse(source);
    const charts = typeof read === 'object' && read !== null && 'charts' in read ? read.charts : [];
    return (Array.isArray(charts) ? charts : []).flatMap((value: unknown) => {
      const chart = Chart.safeParse(value).data;
      return chart ? [{ chart, source: stringify(value) }] : [];
    });
  } catch {
    return [];
  }
}
