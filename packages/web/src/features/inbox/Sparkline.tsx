import styles from './inbox.module.css';

/** One bar per hour, the highest as high as the picture. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const width = 4;
  const height = 24;
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${values.length * width} ${height}`}
      width={values.length * width}
      height={height}
      role="img"
      aria-label={`${label}: ${values.join(', ')}`}
    >
      {values.map((value, index) => {
        const bar = value === 0 ? 1 : Math.max(3, Math.round((value / highest) * height));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no identity besides its hour.
            key={index}
            x={index * width}
            y={height - bar}
            width={width - 1}
            height={bar}
            data-empty={value === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
