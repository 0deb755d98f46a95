import { AppError, type ChartRequest } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import { readDate } from '../readDate.ts';

export interface ChartWindow {
  readonly from: number;
  readonly to: number;
}

/** The time window of a chart: the requested one, or up to now with the length that its dashboard defines. */
export function readWindow(
  request: ChartRequest,
  { default: shown, max }: { readonly default: string; readonly max: string },
  now: number,
): ChartWindow {
  const range = filterValue(request, 'timeRange');
  const end = request.endDate ?? filterValue(request, 'endDate');
  const start = request.startDate ?? filterValue(request, 'startDate');
  const to = end === undefined || end === null ? now + 1 : readDate(String(end));
  const from =
    start === undefined || start === null ? to - lengthOf(range ?? shown) : readDate(String(start));
  if (from > to) throw new AppError('illegal-argument', 'startDate lies after endDate');
  const longest = lengthOf(max);
  // The moment that passes between a client's clock and ours is no reason to refuse.
  if (to - from > longest + 60_000) {
    throw new AppError(
      'illegal-argument',
      `the window is longer than ${max}, which is the longest for this dashboard`,
    );
  }
  return { from, to };
}

const filterValue = ({ filters }: ChartRequest, field: string): unknown =>
  filters?.find((filter) => filter.field === field)?.value;

function lengthOf(duration: unknown): number {
  const ms = typeof duration === 'string' ? parseDuration(duration) : undefined;
  if (ms === undefined || ms <= 0) {
    throw new AppError(
      'illegal-argument',
      `${JSON.stringify(duration)} is not a duration such as P7D or PT1H`,
    );
  }
  return ms;
}
