import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { summaryQuery } from '../../stats/index.ts';
import { badEnds, type Counts, goodEnds, ratiosOf } from '../ratios.ts';
import styles from './dashboard.module.css';

interface FiguresProps {
  /** Executions by state; undefined until they are counted. */
  counts: Counts | undefined;
  namespace: string | undefined;
  /** The dates of the page, so that a figure leads to exactly what it counts. */
  dates: Record<string, unknown>;
}

/** Four figures; each leads to what it counts. */
export function Figures({ counts, namespace, dates }: FiguresProps) {
  const { t } = useTranslation();
  const { data: summary } = useQuery(summaryQuery(namespace));
  const ratios = counts && ratiosOf(counts);
  const { timeRange, startDate, endDate } = dates as Record<string, string | undefined>; // Written by the page's own address.
  const when = { namespace, timeRange, startDate, endDate };
  return (
    <div className={styles.figures}>
      <Tooltip label={t('dashboard.successText')} multiline maw={280}>
        <Link
          to="/{-$tenant}/executions"
          search={{ ...when, state: [...goodEnds] }}
          className={styles.figure}
        >
          <span>{t('dashboard.success')}</span> <strong>{percent(ratios?.success)}</strong>
        </Link>
      </Tooltip>
      <Tooltip label={t('dashboard.failureText')} multiline maw={280}>
        <Link to="/{-$tenant}/executions" search={{ ...when, state: [...badEnds] }} className={styles.figure}>
          <span>{t('dashboard.failure')}</span> <strong>{percent(ratios?.failure)}</strong>
        </Link>
      </Tooltip>
      <Link to="/{-$tenant}/flows" search={{ namespace }} className={styles.figure}>
        <span>{t('nav.flows')}</span> <strong>{summary?.flows.toLocaleString() ?? '…'}</strong>
      </Link>
      <Link to="/{-$tenant}/admin/triggers" search={{ namespace }} className={styles.figure}>
        <span>{t('nav.triggers')}</span> <strong>{summary?.triggers.toLocaleString() ?? '…'}</strong>
      </Link>
    </div>
  );
}

const percent = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(2)} %`);
