import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StateIcon } from '../../ui/index.ts';
import type { StateCounts } from './foldRuns.ts';
import styles from './iterations.module.css';

/** How many of each state, as shape, color and number. The words are for screen readers and the pointer. */
export function StateCountChips({ counts }: { counts: StateCounts }) {
  const { t } = useTranslation();
  return (
    <span className={styles.counts}>
      {counts.map(([state, count]) => (
        <span
          key={state}
          className={styles.chip}
          style={{ color: `var(--mr-state-${state.toLowerCase()}-text)` }}
          title={`${formatNumber(count)} ${t(`state.${state}`)}`}
        >
          <StateIcon state={state} size={11} />
          {formatNumber(count)}
          <span className={styles.hidden}> {t(`state.${state}`)} </span>
        </span>
      ))}
    </span>
  );
}
