import { formatNumber } from '../../format/number.ts';
import { Hint } from '../Hint.tsx';
import { Legend, useHiddenSeries } from './Legend.tsx';
import { SkeletonBars } from './SkeletonBars.tsx';
import styles from './StackedBars.module.css';
import { scaleTop, spread } from './scale.ts';

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
        {buckets?.map((bucket) => {
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

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
