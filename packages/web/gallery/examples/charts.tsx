import { Legend, useHiddenSeries } from '../../src/ui/charts/Legend.tsx';
import { type Bucket, StackedBars } from '../../src/ui/charts/StackedBars.tsx';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const series = ['success', 'warning', 'failed', 'running'].map((key) => ({
  key,
  label: key,
  colour: `var(--mr-chart-${key})`,
}));
const buckets: Bucket[] = Array.from({ length: 30 }, (_, day) => ({
  key: String(day),
  label: `Day ${day + 1}`,
  counts: {
    success: 20 + ((day * 7) % 30),
    warning: day % 4,
    failed: (day * 3) % 7,
    running: day === 29 ? 6 : 0,
  },
}));
const nothing = () => {};

function PressedLegend() {
  const { hidden, toggle } = useHiddenSeries();
  return <Legend entries={series} hidden={hidden} onToggle={toggle} />;
}

export const charts: readonly GalleryExample[] = [
  ...(['classic', 'millrace'] as const).map(
    (scheme): GalleryExample => ({
      name: `StackedBars in the ${scheme} scheme`,
      show: () => (
        <div data-charts={scheme}>
          <StackedBars label="Executions" buckets={buckets} series={series} onChoose={nothing} />
        </div>
      ),
    }),
  ),
  {
    name: 'StackedBars: small, large, loading, empty',
    show: () => (
      <>
        <div className={styles.row}>
          <StackedBars label="Small" buckets={buckets} series={series} size="sm" />
        </div>
        <StackedBars label="Large" buckets={buckets} series={series} size="lg" />
        <StackedBars label="Loading" buckets={undefined} series={series} />
        <StackedBars label="Empty" buckets={[]} series={series} />
      </>
    ),
  },
  { name: 'Legend: an entry takes its series out of the picture', show: PressedLegend },
];
