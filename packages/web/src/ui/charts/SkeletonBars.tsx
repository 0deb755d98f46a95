import { Skeleton } from '../Skeleton.tsx';
import styles from './StackedBars.module.css';

const count = 14;

/** Grey bars of uneven height where a chart will be. */
export const SkeletonBars = () =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton bars are all alike.
    <li key={index} className={styles.skeleton} aria-hidden="true">
      <Skeleton width="100%" height={`${20 + ((index * 37) % 55)}%`} borderRadius="2px 2px 0 0" />
    </li>
  ));
