import { type StateType, stateTypes } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../format/number.ts';
import styles from './counts.module.css';

export type Counts = Readonly<Partial<Record<StateType, number>>>;

export const totalOf = (counts: Counts | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0);

const statesOf = (counts: Counts): [StateType, number][] =>
  stateTypes.flatMap((state): [StateType, number][] => {
    const count = counts[state] ?? 0;
    return count > 0 ? [[state, count]] : [];
  });

/** `12 executions: Success 10, Failed 2`. */
export const countsInWords = (counts: Counts, t: TFunction): string =>
  t('calendar.ran', {
    count: totalOf(counts),
    states: statesOf(counts)
      .map(([state, count]) => `${t(`state.${state}`)} ${formatNumber(count)}`)
      .join(', '),
  });

/** The share of each state, as colours. The words are those of the element around it. */
export function CountBar({ counts, isVertical = false }: { counts: Counts; isVertical?: boolean }) {
  return (
    <span className={styles.shares} data-vertical={isVertical || undefined} aria-hidden="true">
      {statesOf(counts).map(([state, count]) => (
        <i
          key={state}
          style={{ flexGrow: count, background: `var(--mr-state-${state.toLowerCase()}-solid)` }}
        />
      ))}
    </span>
  );
}
