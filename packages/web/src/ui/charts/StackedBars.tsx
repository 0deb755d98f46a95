import type { KeyboardEvent } from 'react';
import { formatNumber } from '../../format/number.ts';
import { Hint } from '../Hint.tsx';
import { Skeleton } from '../Loading.tsx';
import { Legend, useHiddenSeries } from './Legend.tsx';
import styles from './StackedBars.module.css';

export interface Series {
  key: string;
  label: string;
  /** A custom property, such as `var(--mr-green-solid)`. */
  colour: string;
}

export interface Bucket {
  key: string;
  /** The stretch of time in words. */
  label: string;
  counts: Readonly<Record<string, number>>;
}

interface StackedBarsProps {
  label: string;
  /** Undefined while it is on its way: the space is kept. */
  buckets: readonly Bucket[] | undefined;
  series: readonly Series[];
  /** What pressing a bar does, such as narrowing the list to its time. */
  onChoose?: ((bucket: Bucket) => void) | undefined;
  /** Only the large size has room for a scale. */
  size?: 'sm' | 'md' | 'lg';
  /** How a number reads; as it is otherwise. */
  format?: (value: number) => string;
  /** False where there is one series and its total says nothing, such as for averages. */
  hasLegend?: boolean;
}

/** A bar for each stretch of time, stacked by series. The legend counts, and takes series out of the picture. */
export function StackedBars({
  label,
  buckets,
  series,
  onChoose,
  size = 'md',
  format = formatNumber,
  hasLegend = true,
}: StackedBarsProps) {
  const { hidden, toggle } = useHiddenSeries();
  const shown = series.filter(({ key }) => !hidden.has(key));
  const totals = new Map(
    series.map(({ key }) => [key, sum((buckets ?? []).map(({ counts }) => counts[key]))]),
  );
  const heights = (buckets ?? []).map(({ counts }) => sum(shown.map(({ key }) => counts[key])));
  const highest = Math.max(...heights) || 1;
  const top = size === 'lg' ? scaleTop(highest) : highest;
  const marked = spread(buckets?.length ?? 0, size === 'lg' ? 5 : 2);
  return (
    <figure className={styles.figure} data-size={size}>
      {size === 'lg' && (
        <div className={styles.scale} aria-hidden="true">
          {buckets && [top, top / 2, 0].map((value) => <span key={value}>{format(value)}</span>)}
        </div>
      )}
      <ul className={styles.bars} aria-label={label} aria-busy={!buckets}>
        {!buckets && size !== 'sm' && <SkeletonBars />}
        {buckets?.map((bucket, index) => {
          const parts = shown.filter(({ key }) => (bucket.counts[key] ?? 0) > 0);
          const words = `${bucket.label}: ${parts.map((one) => `${one.label} ${format(bucket.counts[one.key] ?? 0)}`).join(', ') || '0'}`;
          return (
            <li key={bucket.key}>
              <Hint label={words} multiline maw={260}>
                <button
                  type="button"
                  className={styles.bar}
                  aria-label={words}
                  disabled={!onChoose}
                  tabIndex={index === 0 ? 0 : -1}
                  onKeyDown={moveBetweenBars}
                  onClick={() => onChoose?.(bucket)}
                >
                  {parts.map(({ key, colour }) => (
                    <span
                      key={key}
                      style={{ height: `${((bucket.counts[key] ?? 0) / top) * 100}%`, background: colour }}
                    />
                  ))}
                </button>
              </Hint>
            </li>
          );
        })}
      </ul>
      {size !== 'sm' && (
        <>
          <div className={styles.axis} aria-hidden="true">
            {marked.map((index) => (
              <span key={index}>{buckets?.[index]?.label}</span>
            ))}
          </div>
          {hasLegend && (
            <Legend
              hidden={hidden}
              onToggle={toggle}
              entries={series
                .filter(({ key }) => (totals.get(key) ?? 0) > 0)
                .map((one) => ({ ...one, value: format(totals.get(one.key) ?? 0) }))}
            />
          )}
        </>
      )}
    </figure>
  );
}

/** Arrow keys walk through the bars; one of them is in the tab order at a time, so that the chart is one stop. */
function moveBetweenBars(event: KeyboardEvent<HTMLButtonElement>): void {
  const bars = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: bars.indexOf(event.currentTarget) + 1,
    ArrowLeft: bars.indexOf(event.currentTarget) - 1,
    Home: 0,
    End: bars.length - 1,
  };
  const next = bars[steps[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  for (const bar of bars) bar.tabIndex = bar === next ? 0 : -1;
  next.focus();
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** The end of a scale that holds a value and can be halved to a number that reads well. */
export function scaleTop(highest: number): number {
  // Half of one is no count.
  if (highest <= 0 || highest === 1) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= highest) ?? 10;
  return step * power;
}

/** A few evenly spaced positions of `count`, the first and the last included. */
export function spread(count: number, wanted: number): number[] {
  if (count <= wanted) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: wanted }, (_, index) => Math.round(((count - 1) * index) / (wanted - 1)));
}

const count = 14;

/** Grey bars of uneven height where a chart will be. */
export const SkeletonBars = () =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton bars are all alike.
    <li key={index} className={styles.skeleton} aria-hidden="true">
      <Skeleton width="100%" height={`${20 + ((index * 37) % 55)}%`} borderRadius="2px 2px 0 0" />
    </li>
  ));
