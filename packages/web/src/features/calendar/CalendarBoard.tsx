import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { type Calendar, calendar } from '@millrace/contract';
import { IconChevronLeft, IconChevronRight, IconClockExclamation } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useDateSettings } from '../../format/date.ts';
import { shownTimeZone } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { BrokenPart, KeyHint, Loading, RefreshButtons, useAutoRefresh } from '../../ui/index.ts';
import { ConflictList, NextRuns } from './AgendaLists.tsx';
import styles from './calendar.module.css';
import {
  type CalendarView,
  calendarViews,
  offsetIn,
  type Period,
  periodOf,
  readDay,
  shiftDay,
  todayIn,
  writeDay,
  writeDays,
  writeOffset,
  writeTimes,
} from './dates.ts';
import { Lanes } from './Lanes.tsx';
import { MonthGrid } from './MonthGrid.tsx';

interface CalendarBoardProps {
  readonly view: CalendarView | undefined;
  readonly date: string | undefined;
  readonly namespace: string | undefined;
  readonly flowId: string | undefined;
  /** Shown when nothing ran and nothing is planned in the period. */
  readonly empty: ReactNode;
  filters?(data: Calendar | undefined): ReactNode;
  /** `date` is undefined for today. */
  onGo(next: { view?: CalendarView; date?: string | undefined }): void;
}

/** What ran and what runs next in a day, week or month. The page and a flow's tab keep the period in their address. */
export function CalendarBoard(props: CalendarBoardProps) {
  const { view = 'week', date, namespace, flowId, empty, filters, onGo } = props;
  const { t, i18n } = useTranslation();
  useDateSettings();
  const auto = useAutoRefresh();
  const timeZone = shownTimeZone();
  const today = todayIn(timeZone, Date.now());
  const day = readDay(date) ?? today;
  const period = periodOf(view, day, timeZone);
  const question = { from: period.from, to: period.to, timeZone, namespace, flowId };
  const { data, error, refetch } = useQuery(calendarQuery(question, auto.on));
  const goTo = (next: string) => onGo({ date: next === today ? undefined : next });
  useKeys((key) => {
    if (key === 't') goTo(today);
    else if (key === 'n' || key === 'p') goTo(shiftDay(view, day, key === 'n' ? 1 : -1));
    else {
      const chosen = calendarViews.find((name) => name[0] === key);
      if (chosen) onGo({ view: chosen });
    }
  });
  const current = data?.from === period.from && data.to === period.to ? data : undefined;
  return (
    <>
      <div className={styles.toolbar}>
        <ActionIcon.Group>
          <Hint label={t('calendar.previous')}>
            <ActionIcon
              variant="default"
              size={34}
              aria-label={t('calendar.previous')}
              onClick={() => goTo(shiftDay(view, day, -1))}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
          </Hint>
          <Hint label={t('calendar.next')}>
            <ActionIcon
              variant="default"
              size={34}
              aria-label={t('calendar.next')}
              onClick={() => goTo(shiftDay(view, day, 1))}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
          </Hint>
        </ActionIcon.Group>
        <Button variant="default" size="sm" disabled={day === today} onClick={() => goTo(today)}>
          {t('calendar.today')}
        </Button>
        <h2 className={styles.title} aria-live="polite">
          {titleOf(view, day, period, i18n.language)}
        </h2>
        <SegmentedControl
          aria-label={t('calendar.view')}
          value={view}
          onChange={(next) => onGo({ view: next as CalendarView })} // One of the values below.
          data={calendarViews.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
        />
        <RefreshButtons auto={auto} onRefresh={() => void refetch()} />
      </div>
      <div className={styles.toolbar}>
        {filters?.(data)}
        <span className={styles.zone}>
          {t('calendar.zone', { zone: timeZone, offset: offsetIn(period.from, timeZone) })}
        </span>
      </div>
      {current?.offsetChanges.map(({ at, before, after }) => (
        <p key={at} className={styles.notice}>
          <IconClockExclamation size={16} aria-hidden="true" />
          {t(after > before ? 'calendar.clockForward' : 'calendar.clockBack', {
            date: writeTimes(i18n.language, timeZone).dayAndTime(at),
            before: writeOffset(before),
            after: writeOffset(after),
          })}
        </p>
      ))}
      {!current && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {current && (
        <Body
          calendar={current}
          view={view}
          day={day}
          today={today}
          period={period}
          empty={empty}
          onDay={(next) => onGo({ view: 'day', date: next === today ? undefined : next })}
        />
      )}
    </>
  );
}

interface BodyProps {
  readonly calendar: Calendar;
  readonly view: CalendarView;
  readonly day: string;
  readonly today: string;
  readonly period: Period;
  readonly empty: ReactNode;
  onDay(day: string): void;
}

function Body({ calendar, view, day, today, period, empty, onDay }: BodyProps) {
  const { t, i18n } = useTranslation();
  const times = writeTimes(i18n.language, calendar.timeZone);
  const isEmpty = calendar.flows.length === 0;
  if (isEmpty && view !== 'month') return empty;
  return (
    <div className={styles.body}>
      {view === 'month' ? (
        <MonthGrid
          calendar={calendar}
          days={period.days}
          month={day.slice(0, 7)}
          today={today}
          onDay={onDay}
        />
      ) : (
        <Lanes calendar={calendar} view={view} days={period.days} today={today} times={times} onDay={onDay} />
      )}
      {(calendar.moreFlows > 0 || calendar.isPartial) && (
        <p className={styles.hint}>
          {calendar.moreFlows > 0 && t('calendar.moreFlows', { count: calendar.moreFlows })}{' '}
          {calendar.isPartial && t('calendar.partial')}
        </p>
      )}
      <div className={styles.lists}>
        <NextRuns calendar={calendar} times={times} isOneDay={view === 'day'} />
        <ConflictList calendar={calendar} times={times} isOneDay={view === 'day'} />
      </div>
      <p className={styles.keys}>
        <KeyHint keys="P" /> <KeyHint keys="N" /> {t('calendar.keys.period')} · <KeyHint keys="T" />{' '}
        {t('calendar.today')} · <KeyHint keys="D" /> <KeyHint keys="W" /> <KeyHint keys="M" />{' '}
        {t('calendar.keys.view')}
      </p>
    </div>
  );
}

function titleOf(view: CalendarView, day: string, { days }: Period, locale: string): string {
  if (view === 'month') return writeDay(day, locale, { month: 'long', year: 'numeric' });
  if (view === 'week') return writeDays(days[0] ?? day, days.at(-1) ?? day, locale);
  return writeDay(day, locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** Single keys work anywhere on the page, but not while something is typed or chosen. */
function useKeys(onKey: (key: string) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest('input, textarea, select, [role="dialog"], [role="menu"], [contenteditable]'))
        return;
      latest.current(event.key.toLowerCase());
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

interface CalendarQuestion {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly namespace: string | undefined;
  readonly flowId: string | undefined;
}

const everyMs = 20_000;

const calendarQuery = ({ from, to, timeZone, namespace, flowId }: CalendarQuestion, isLive: boolean) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'calendar', from, to, timeZone, namespace, flowId],
    queryFn: ({ signal }) =>
      call(calendar.readCalendar, {
        query: { from, to, timeZone, ...(namespace && { namespace }), ...(flowId && { flowId }) },
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && everyMs,
  });
