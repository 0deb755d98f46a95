import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { summaryQuery } from '../../stats/index.ts';
import styles from './dashboard.module.css';
import { type Counts, failedEndStates, ratiosOf, successEndStates } from './ratios.ts';

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
