import { Hint } from '../Hint.tsx';
import styles from './Tags.module.css';

interface TagsProps {
  items: readonly { key: string; value: string }[];
  max?: number;
  /** Over several lines, where there is room for them. */
  wrap?: boolean;
}

/** Key and value pairs in one line. Pairs that do not fit are counted and listed on hover. */
export function Tags({ items, max = 3, wrap = false }: TagsProps) {
  if (items.length === 0) return null;
  const rest = items.slice(max);
  return (
    <span className={styles.tags} data-wrap={wrap || undefined}>
      {items.slice(0, max).map(({ key, value }) => (
        <span key={key} className={styles.tag} title={`${key}: ${value}`}>
          <span className={styles.key}>{key}</span> {value}
        </span>
      ))}
      {rest.length > 0 && (
        <Hint label={rest.map(({ key, value }) => `${key}: ${value}`).join(', ')} multiline maw={360}>
          <span className={styles.more}>+{rest.length}</span>
        </Hint>
      )}
    </span>
  );
}
