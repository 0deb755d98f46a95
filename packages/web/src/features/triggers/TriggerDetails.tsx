import {
  calendar,
  logs,
  type ScheduleDate,
  type Trigger,
  type TriggerWithDefinition,
} from '@millrace/contract';
import { IconClockExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { dateTimeFormat } from '../../format/dateFormats.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateAgo, DateTime, Loading } from '../../ui/index.ts';
import { BackfillCell, BackfillFacts } from './BackfillCell.tsx';
import { isSchedule } from './queries.ts';
import styles from './triggers.module.css';

/** What a row of the list opens: the next dates of a schedule, its backfill, and the last log entries. */
export function TriggerDetails({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const { abstractTrigger, triggerContext } = trigger;
  const { backfill } = triggerContext;
  if (!abstractTrigger || !isSchedule(abstractTrigger.type)) return <TriggerLogs trigger={triggerContext} />;
  return (
    <div className={styles.details}>
      <NextDates trigger={triggerContext} />
      <div>
        <section className={backfill?.progress ? undefined : styles.narrow}>
          <h4>{t('trigger.backfill')}</h4>
          <div className={styles.narrow}>
            <BackfillCell trigger={trigger} />
          </div>
          {backfill && <BackfillFacts backfill={backfill} isDisabled={triggerContext.disabled} />}
        </section>
        <h4>{t('trigger.log')}</h4>
        <TriggerLogs trigger={triggerContext} />
      </div>
    </div>
  );
}

function NextDates({
  trigger: { namespace, flowId, triggerId, nextExecutionDate, disabled },
}: {
  trigger: Trigger;
}) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: [
      'triggers',
      currentTenant(),
      'dates',
      namespace,
      flowId,
      triggerId,
      nextExecutionDate,
      disabled,
    ],
    queryFn: ({ signal }) =>
      call(calendar.listScheduleDates, {
        params: { namespace, flowId, triggerId },
        signal,
        failures: 'handled',
      }),
  });
  if (!data) return <Loading />;
  const { dates, state, timeZone } = data;
  return (
    <div>
      <h4>
        {t('trigger.nextDates', { zone: timeZone })}{' '}
        <Link to="/{-$tenant}/calendar" search={{ namespace, flowId }}>
          {t('trigger.inCalendar')}
        </Link>
      </h4>
      {state !== 'planned' && <p className={styles.none}>{t(`trigger.datesState.${state}`)}</p>}
      {dates.length === 0 && state !== 'unknown' && <p className={styles.none}>{t('trigger.noDates')}</p>}
      <ol className={styles.nextDates}>
        {dates.map((date) => (
          <DateRow key={date.date} date={date} />
        ))}
      </ol>
    </div>
  );
}

/** The local time of the schedule with its offset, and what a change of the clocks does to it. */
function DateRow({ date: { date, isNewOffset, note, localTime = '' } }: { date: ScheduleDate }) {
  const { t, i18n } = useTranslation();
  const [, local = '', offset = ''] = /^(.*?)(Z|[+-]\d\d:\d\d)$/.exec(date) ?? [];
  const format = dateTimeFormat(i18n.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const shownOffset = offset === 'Z' ? 'UTC' : `UTC${offset}`;
  const notes = [
    ...(isNewOffset ? [t('trigger.newOffset', { offset: shownOffset })] : []),
    ...(note ? [t(`trigger.dateNote.${note}`, { time: localTime })] : []),
  ];
  return (
    <li data-changed={notes.length > 0 || undefined}>
      <time dateTime={date}>{format.format(new Date(`${local}Z`))}</time>
      <span className={styles.offset}>{shownOffset}</span>
      <span className={styles.quiet}>
        <DateAgo value={date} />
      </span>
      {notes.length > 0 && (
        <p>
          <IconClockExclamation size={14} aria-hidden="true" /> {notes.join(' ')}
        </p>
      )}
    </li>
  );
}

const shown = 25;

/** The last lines that a trigger wrote while it was evaluated. */
function TriggerLogs({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation();
  const { namespace, flowId, triggerId } = trigger;
  const { data } = useQuery({
    queryKey: ['logs', currentTenant(), 'trigger', namespace, flowId, triggerId],
    queryFn: ({ signal }) =>
      call(logs.searchLogs, {
        query: { namespace, flowId, triggerId, size: shown, sort: 'timestamp:desc' },
        signal,
        failures: 'handled',
      }),
  });
  if (!data) return <Loading />;
  if (data.results.length === 0) return <p className={styles.none}>{t('trigger.noLogs')}</p>;
  return (
    <ul className={styles.logs} aria-label={t('trigger.logs', { id: triggerId })}>
      {data.results.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: log entries have no identity besides their place.
        <li key={index}>
          <DateTime value={entry.timestamp} />
          <span>{entry.level}</span>
          <span>{entry.message}</span>
        </li>
      ))}
    </ul>
  );
}
