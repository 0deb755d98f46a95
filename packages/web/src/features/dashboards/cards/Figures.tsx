import { type DailyExecutionStatistics, isTerminal, type StateType } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { Skeleton } from '../../../ui/Loading.tsx';
import { summaryQuery } from '../../stats/index.ts';
import styles from './dashboard.module.css';

/** The namespace and the time of the page, so that a link leads to exactly what is shown. */
export interface When {
  namespace: string | undefined;
  timeRange: string | undefined;
  startDate: string | undefined;
  endDate: string | undefined;
}

interface FiguresProps {
  /** Executions by state; undefined until they are counted. */
  counts: Counts | undefined;
  /** True when they could not be counted. */
  isBroken: boolean;
  when: When;
}

/** Four figures; each leads to what it counts. */
export function Figures({ counts, isBroken, when }: FiguresProps) {
  const { t } = useTranslation();
  const { namespace } = when;
  const { data: summary, isError } = useQuery(summaryQuery(namespace));
  const ratios = counts && ratiosOf(counts);
  return (
    <div className={styles.figures}>
      <Hint label={t('dashboard.successText')} multiline maw={280}>
        <Link
          to="/{-$tenant}/executions"
          search={{ ...when, state: [...successEndStates] }}
          className={styles.figure}
        >
          <span>{t('dashboard.success')}</span>{' '}
          <strong>{ratios ? percent(ratios.success) : <Waiting isBroken={isBroken} />}</strong>{' '}
          <small>{ratios && fraction(ratios.good, ratios.ended)}</small>
        </Link>
      </Hint>
      <Hint label={t('dashboard.failureText')} multiline maw={280}>
        <Link
          to="/{-$tenant}/executions"
          search={{ ...when, state: [...failedEndStates] }}
          className={styles.figure}
        >
          <span>{t('dashboard.failure')}</span>{' '}
          <strong data-bad={(ratios?.bad ?? 0) > 0 || undefined}>
            {ratios ? percent(ratios.failure) : <Waiting isBroken={isBroken} />}
          </strong>{' '}
          <small>{ratios && fraction(ratios.bad, ratios.ended)}</small>
        </Link>
      </Hint>
      <Link to="/{-$tenant}/flows" search={{ namespace }} className={styles.figure}>
        <span>{t('nav.flows')}</span>{' '}
        <strong>{summary ? formatNumber(summary.flows) : <Waiting isBroken={isError} />}</strong>
      </Link>
      <Link to="/{-$tenant}/admin/triggers" search={{ namespace }} className={styles.figure}>
        <span>{t('nav.triggers')}</span>{' '}
        <strong>{summary ? formatNumber(summary.triggers) : <Waiting isBroken={isError} />}</strong>
      </Link>
    </div>
  );
}

const Waiting = ({ isBroken }: { isBroken: boolean }) =>
  isBroken ? '–' : <Skeleton width={88} height={22} marginBlock={6} />;

const fraction = (part: number, whole: number): string => `${formatNumber(part)} / ${formatNumber(whole)}`;

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

const percent = (value: number | undefined): string =>
  value === undefined ? '–' : `${formatNumber(value, twoDigits)} %`;

const successEndStates = ['SUCCESS', 'WARNING', 'CANCELLED'] as const satisfies StateType[];
const failedEndStates = ['FAILED', 'KILLED', 'RETRIED'] as const satisfies StateType[];

type Counts = Readonly<Record<string, number>>;

/** How many executions were in each state over all buckets together. */
export function totalsOf(days: readonly DailyExecutionStatistics[]): Counts {
  const totals: Record<string, number> = {};
  for (const { executionCounts } of days)
    for (const [state, count] of Object.entries(executionCounts))
      totals[state] = (totals[state] ?? 0) + count;
  return totals;
}

interface Ratios {
  ended: number;
  good: number;
  bad: number;
  success: number | undefined;
  failure: number | undefined;
}

/** Shares of all executions that have ended, in percent. A warning counts as success, a retried one as failure. */
export function ratiosOf(counts: Counts): Ratios {
  const ended = sum(
    Object.entries(counts)
      .filter(([state]) => isTerminal(state as StateType))
      .map(([, n]) => n),
  ); // The server's own states.
  const good = sum(successEndStates.map((state) => counts[state] ?? 0));
  const bad = sum(failedEndStates.map((state) => counts[state] ?? 0));
  const shareOf = (part: number) => (ended === 0 ? undefined : (part / ended) * 100);
  return { ended, good, bad, success: shareOf(good), failure: shareOf(bad) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
