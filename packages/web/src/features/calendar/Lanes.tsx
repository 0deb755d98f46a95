import type { Calendar, CalendarExecution, CalendarFlow } from '@millrace/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, KeyboardEvent } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { stateColours } from '../../ui/index.ts';
import { FlowLink } from '../flows/index.ts';
import { maxLevels, type PlacedBlock, placeBlocks } from './blocks.ts';
import counted from './counts.module.css';
import { addDays, everyInWords, startOfDay, type Times, writeDay } from './dates.ts';
import { CountBar, countsInWords, LoadRows } from './LoadRows.tsx';
import styles from './lanes.module.css';

interface LanesProps {
  readonly calendar: Calendar;
  readonly view: 'day' | 'week';
  readonly days: readonly string[];
  readonly today: string;
  readonly times: Times;
  onDay(day: string): void;
}

/** One line per flow over the hours of a day or the days of a week. */
export function Lanes({ calendar, view, days, today, times, onDay }: LanesProps) {
  const { t, i18n } = useTranslation();
  const place = placeIn(calendar);
  const now = place(calendar.now);
  const marks = view === 'day' ? calendar.buckets.filter((_, index) => index % 3 === 0) : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links and buttons inside.
    <div className={styles.lanes} data-view={view} onKeyDown={moveByArrows}>
      <div className={styles.head}>
        <span className={styles.name}>{t('execution.flow')}</span>
        {view === 'day' ? (
          <div className={styles.track} aria-hidden="true">
            {marks.map(({ at }) => (
              <span key={at} className={styles.mark} style={{ left: place(at) }}>
                {times.hour(at)}
              </span>
            ))}
          </div>
        ) : (
          <div className={styles.days}>
            {days.map((day) => (
              <button
                key={day}
                type="button"
                className={styles.dayName}
                data-today={day === today || undefined}
                onClick={() => onDay(day)}
              >
                {writeDay(day, i18n.language, { weekday: 'short', day: 'numeric' })}
              </button>
            ))}
          </div>
        )}
      </div>
      <LoadRows
        calendar={calendar}
        nameOf={({ at }) => (view === 'day' ? times.time(at) : times.dayAndTime(at))}
      />
      {calendar.flows.map((flow) => (
        <div key={`${flow.namespace}/${flow.flowId}`} className={styles.lane} data-row>
          <FlowName flow={flow} />
          {view === 'day' ? (
            <DayTrack calendar={calendar} flow={flow} times={times} place={place} />
          ) : (
            <WeekCells calendar={calendar} flow={flow} days={days} today={today} onDay={onDay} />
          )}
        </div>
      ))}
      {now !== undefined && (
        <div className={styles.overlay} aria-hidden="true">
          <span className={styles.now} style={{ left: now }} />
        </div>
      )}
    </div>
  );
}

type Place = (iso: string) => string | undefined;

const placeIn = ({ from, to }: Calendar): Place => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return (iso) => {
    const share = (Date.parse(iso) - start) / (end - start);
    return share < 0 || share > 1 ? undefined : `${share * 100}%`;
  };
};

function FlowName({ flow }: { flow: CalendarFlow }) {
  const { t } = useTranslation();
  const facts = [
    flow.namespace,
    ...(flow.usualMs === undefined
      ? []
      : [t('calendar.usually', { duration: formatDuration(flow.usualMs) })]),
    ...(flow.limit === undefined ? [] : [t('calendar.limit', { count: flow.limit })]),
  ];
  return (
    <div className={styles.name}>
      <FlowLink namespace={flow.namespace} id={flow.flowId} className={styles.flow} />
      <small title={facts.join(' · ')}>{facts.join(' · ')}</small>
    </div>
  );
}

interface TrackProps {
  readonly calendar: Calendar;
  readonly flow: CalendarFlow;
  readonly times: Times;
  readonly place: Place;
}

/** Blocks from their start to their end; many executions are one block per hour, and dense schedules one band. */
function DayTrack({ calendar, flow, times, place }: TrackProps) {
  const { t } = useTranslation();
  const spanMs = Date.parse(calendar.to) - Date.parse(calendar.from);
  const blocks = placeBlocks(flow, calendar.executions ?? [], {
    now: Date.parse(calendar.now),
    leastMs: spanMs / 120,
  });
  const hours = calendar.executions ? [] : flow.cells.filter(({ counts }) => counts !== undefined);
  const dense = flow.schedules.filter(({ dates }) => dates === undefined);
  const used = Math.max(0, ...blocks.map(({ level }) => level + 1));
  return (
    <div
      className={styles.track}
      style={{
        minHeight: `calc(${Math.min(maxLevels, used)} * var(--level) + ${dense.length} * var(--band) + 9px)`,
      }}
    >
      {calendar.buckets.map(({ at }) => (
        <i key={at} className={styles.line} style={{ left: place(at) }} aria-hidden="true" />
      ))}
      {dense.map((schedule, index) => (
        <Hint
          key={schedule.triggerId}
          label={`${schedule.triggerId}: ${everyInWords(schedule, t)}`}
          multiline
          maw={280}
        >
          <Link
            to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
            params={{ namespace: flow.namespace, id: flow.flowId, tab: 'triggers' }}
            search={{}}
            className={styles.band}
            style={{
              left: place(calendar.now) ?? '0%',
              bottom: `calc(4px + ${dense.length - 1 - index} * var(--band))`,
            }}
          >
            {schedule.triggerId}: {everyInWords(schedule, t)}
          </Link>
        </Hint>
      ))}
      {hours.map(({ at, counts = {} }) => {
        const end = new Date(Date.parse(at) + hourMs).toISOString();
        const label = `${times.time(at)}: ${countsInWords(counts, t)}`;
        return (
          <Hint key={at} label={label} multiline maw={280}>
            <Link
              to="/{-$tenant}/executions"
              search={{ namespace: flow.namespace, flowId: flow.flowId, startDate: at, endDate: end }}
              className={styles.hour}
              style={{ left: place(at), width: `${(hourMs / spanMs) * 100}%` }}
              aria-label={label}
            >
              <CountBar counts={counts} />
            </Link>
          </Hint>
        );
      })}
      {blocks.map((block) => (
        <BlockLink
          key={block.kind === 'execution' ? block.execution.id : `${block.schedule.triggerId} ${block.date}`}
          block={block}
          flow={flow}
          times={times}
          style={{
            left: place(new Date(block.start).toISOString()) ?? '0%',
            width: `${((block.end - block.start) / spanMs) * 100}%`,
            top: `calc(5px + ${block.level} * var(--level))`,
          }}
        />
      ))}
    </div>
  );
}

const hourMs = 3_600_000;

interface BlockLinkProps {
  readonly block: PlacedBlock;
  readonly flow: CalendarFlow;
  readonly times: Times;
  readonly style: CSSProperties;
}

function BlockLink({ block, flow, times, style }: BlockLinkProps) {
  const { t } = useTranslation();
  const { namespace, flowId } = flow;
  if (block.kind === 'execution') {
    const { id, state, startDate, endDate }: CalendarExecution = block.execution;
    const label = `${times.time(startDate)}: ${t(`state.${state}`)}${endDate ? `, ${formatDuration(block.end - block.start)}` : ''}`;
    return (
      <Hint label={label}>
        <Link
          to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
          params={{ namespace, flowId, id }}
          search={{}}
          className={styles.block}
          style={{ ...style, ...stateColours(state) }}
          aria-label={`${flowId}, ${label}`}
        />
      </Hint>
    );
  }
  const conflict = flow.conflicts.find(
    ({ date, triggerId }) => date === block.date && triggerId === block.schedule.triggerId,
  );
  const label = [
    `${times.time(block.date)}: ${t('calendar.plannedBy', { triggerId: block.schedule.triggerId })}`,
    ...(block.schedule.isHeld ? [t('calendar.held')] : []),
    ...(conflict ? [t(`calendar.reason.${conflict.reason}`)] : []),
  ].join(' · ');
  return (
    <Hint label={label} multiline maw={280}>
      <Link
        to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
        params={{ namespace, id: flowId, tab: 'triggers' }}
        search={{}}
        className={styles.date}
        data-conflict={block.isConflict || undefined}
        data-held={block.schedule.isHeld || undefined}
        style={style}
        aria-label={`${flowId}, ${label}`}
      />
    </Hint>
  );
}

interface WeekCellsProps {
  readonly calendar: Calendar;
  readonly flow: CalendarFlow;
  readonly days: readonly string[];
  readonly today: string;
  onDay(day: string): void;
}

function WeekCells({ calendar, flow, days, today, onDay }: WeekCellsProps) {
  const { t, i18n } = useTranslation();
  const cells = new Map(flow.cells.map((cell) => [cell.at, cell]));
  return (
    <div className={styles.days}>
      {days.map((day) => {
        const at = startOfDay(day, calendar.timeZone);
        const { counts, planned = 0, conflicts = 0 } = cells.get(at) ?? {};
        const name = `${flow.flowId}, ${writeDay(day, i18n.language, { weekday: 'long', day: 'numeric', month: 'long' })}`;
        return (
          <div key={day} className={styles.cell} data-today={day === today || undefined}>
            {counts && (
              <Hint label={countsInWords(counts, t)} multiline maw={280}>
                <Link
                  to="/{-$tenant}/executions"
                  search={{
                    namespace: flow.namespace,
                    flowId: flow.flowId,
                    startDate: at,
                    endDate: startOfDay(addDays(day, 1), calendar.timeZone),
                  }}
                  className={counted.past}
                  aria-label={`${name}: ${countsInWords(counts, t)}`}
                >
                  <span>{formatNumber(Object.values(counts).reduce((sum, each) => sum + each, 0))}</span>
                  <CountBar counts={counts} />
                </Link>
              </Hint>
            )}
            {planned > 0 && (
              <Hint
                label={[
                  t('calendar.planned', { count: planned }),
                  ...(conflicts > 0 ? [t('calendar.conflictCount', { count: conflicts })] : []),
                ].join(' · ')}
              >
                <button
                  type="button"
                  className={counted.future}
                  data-conflict={conflicts > 0 || undefined}
                  aria-label={`${name}: ${t('calendar.planned', { count: planned })}${conflicts > 0 ? `, ${t('calendar.conflictCount', { count: conflicts })}` : ''}`}
                  onClick={() => onDay(day)}
                >
                  {conflicts > 0 && <IconAlertTriangle size={12} aria-hidden="true" />}
                  {formatNumber(planned)}
                </button>
              </Hint>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** The arrow keys move between what can be opened: along a line, and to the line above or below. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  const row = target?.closest<HTMLElement>('[data-row]');
  if (!target || !row || event.ctrlKey || event.metaKey || event.altKey) return;
  const inside = (of: Element | undefined) => [...(of?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  const rows = [...event.currentTarget.querySelectorAll('[data-row]')];
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const isAlong = event.key === 'ArrowRight' || event.key === 'ArrowLeft';
  const next = isAlong
    ? inside(row)[inside(row).indexOf(target) + step]
    : inside(rows[rows.indexOf(row) + step])[0];
  if (!next) return;
  next.focus();
  event.preventDefault();
}
