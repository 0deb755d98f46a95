import type { Calendar, CalendarConflict } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FlowLink } from '../flows/index.ts';
import styles from './calendar.module.css';
import { everyInWords, type Times } from './dates.ts';

interface ListProps {
  readonly calendar: Calendar;
  readonly times: Times;
  readonly isOneDay: boolean;
}

const maxRows = 12;

/** The first planned dates of the period; a dense schedule is one row. */
export function NextRuns({ calendar, times, isOneDay }: ListProps) {
  const { t } = useTranslation();
  const write = isOneDay ? times.time : times.dayAndTime;
  const rows = calendar.flows.flatMap((flow) =>
    flow.schedules.flatMap((schedule) => (schedule.dates ?? ['']).map((date) => ({ flow, schedule, date }))),
  );
  if (rows.length === 0) return null;
  const shown = rows.sort((a, b) => (a.date < b.date ? -1 : 1)).slice(0, maxRows);
  return (
    <Section title={t('calendar.nextRuns')} count={rows.length} shown={shown.length}>
      {shown.map(({ flow, schedule, date }) => (
        <li key={`${flow.namespace}/${flow.flowId}/${schedule.triggerId}/${date}`}>
          <span className={styles.when}>{date === '' ? t('calendar.dense') : write(date)}</span>
          <span className={styles.what}>
            <FlowLink namespace={flow.namespace} id={flow.flowId} className={styles.flow} />{' '}
            <TriggerLink namespace={flow.namespace} flowId={flow.flowId} triggerId={schedule.triggerId} />
            <small>
              {date === '' ? everyInWords(schedule, t) : schedule.cron}
              {flow.usualMs !== undefined &&
                ` · ${t('calendar.usually', { duration: formatDuration(flow.usualMs) })}`}
              {date !== '' && schedule.isHeld && ` · ${t('calendar.held')}`}
            </small>
          </span>
        </li>
      ))}
    </Section>
  );
}

/** Planned dates that cannot start on time, and why. */
export function ConflictList({ calendar, times, isOneDay }: ListProps) {
  const { t } = useTranslation();
  const write = isOneDay ? times.time : times.dayAndTime;
  const rows = calendar.flows.flatMap((flow) => flow.conflicts.map((conflict) => ({ flow, conflict })));
  if (rows.length === 0) return null;
  const count = calendar.flows.reduce((sum, flow) => sum + flow.conflictCount, 0);
  const shown = rows.sort((a, b) => (a.conflict.date < b.conflict.date ? -1 : 1)).slice(0, maxRows);
  const outcomeOf = ({ date, outcome, startsAt = date }: CalendarConflict) =>
    outcome === 'late'
      ? t('calendar.startsLate', { duration: formatDuration(Date.parse(startsAt) - Date.parse(date)) })
      : t(`calendar.outcome.${outcome}`);
  return (
    <Section
      title={t('calendar.conflicts')}
      count={count}
      shown={shown.length}
      hint={t('calendar.conflictText')}
    >
      {shown.map(({ flow, conflict }) => (
        <li key={`${flow.namespace}/${flow.flowId}/${conflict.triggerId}/${conflict.date}`}>
          <span className={styles.when}>{write(conflict.date)}</span>
          <span className={styles.what}>
            <FlowLink namespace={flow.namespace} id={flow.flowId} className={styles.flow} />{' '}
            <TriggerLink namespace={flow.namespace} flowId={flow.flowId} triggerId={conflict.triggerId} />
            <small>
              {t(`calendar.reason.${conflict.reason}`)} · {outcomeOf(conflict)}
            </small>
          </span>
        </li>
      ))}
    </Section>
  );
}

function TriggerLink({
  namespace,
  flowId,
  triggerId,
}: {
  namespace: string;
  flowId: string;
  triggerId: string;
}) {
  return (
    <Link
      to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
      params={{ namespace, id: flowId, tab: 'triggers' }}
      search={{}}
      className={styles.trigger}
    >
      {triggerId}
    </Link>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count: number;
  readonly shown: number;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Section({ title, count, shown, hint, children }: SectionProps) {
  const { t } = useTranslation();
  return (
    <section className={styles.list} aria-label={title}>
      <h3>
        {title} <span>{formatNumber(count)}</span>
      </h3>
      {hint && <p className={styles.hint}>{hint}</p>}
      <ul>{children}</ul>
      {count > shown && <p className={styles.hint}>{t('calendar.more', { count: count - shown })}</p>}
    </section>
  );
}
