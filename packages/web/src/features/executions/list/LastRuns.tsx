import type { Execution } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import { formatDateTime } from '../../../format/date.ts';
import { formatDuration } from '../../../format/duration.ts';
import { openMs, openTime } from '../../../format/openTime.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo, StatePill, stateColours, TimeOpen } from '../../../ui/index.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import styles from './LastRuns.module.css';

const listed = 6;

/** The last runs of a flow: a bar for each, as high as it took long, and the newest ones by name. */
export function LastRuns({ executions }: { executions: Execution[] | undefined }) {
  const { t, i18n } = useTranslation();
  if (!executions) return <div className={styles.reserved} />;
  const longest = Math.max(1, ...executions.map(durationOf));
  return (
    <div>
      <ul className={styles.bars} aria-label={t('flow.runs')}>
        {executions.toReversed().map((execution) => {
          const { namespace, flowId, id, state } = execution;
          const label = `${t(`state.${state.current}`)} · ${formatDuration(durationOf(execution))} · ${formatDateTime(state.startDate, i18n.language)}`;
          return (
            <li key={id}>
              <Hint label={label}>
                <Link
                  to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
                  params={{ namespace, flowId, id, tab: undefined }}
                  search={{}}
                  className={styles.bar}
                  style={stateColours(state.current)}
                  aria-label={label}
                >
                  <span style={{ height: `${8 + (durationOf(execution) / longest) * 92}%` }} />
                </Link>
              </Hint>
            </li>
          );
        })}
      </ul>
      <ul className={styles.list}>
        {executions.slice(0, listed).map((execution) => (
          <li key={execution.id}>
            <StatePill state={execution.state.current} />
            <ExecutionLink {...execution} className={styles.id}>
              {execution.id.slice(0, 8)}
            </ExecutionLink>
            <span className={styles.quiet}>
              <DateAgo value={execution.state.startDate} />
            </span>
            <span className={styles.duration}>
              <TimeOpen time={openTime(execution.state)} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const durationOf = ({ state }: Execution): number => openMs(openTime(state), Date.now());
