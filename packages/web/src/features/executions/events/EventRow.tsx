import { type Execution, type ExecutionEvent, stateTypes } from '@millrace/contract';
import { IconChevronRight, IconHistory } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { formatDateTime } from '../../../format/date.ts';
import { wallClockOf } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { StateIcon, stateColours } from '../../../ui/index.ts';
import { RowButton } from '../../../ui/menu/RowButton.tsx';
import { ActorName } from '../ActorName.tsx';
import { ValueTree } from '../page/ValueTree.tsx';
import styles from './ExecutionEvents.module.css';

interface EventRowProps {
  readonly event: ExecutionEvent;
  readonly index: number;
  readonly top: number;
  readonly execution: Execution;
  readonly timeZone: string;
  readonly isOpen: boolean;
  readonly isLater: boolean;
  readonly measure: (element: Element | null) => void;
  onToggle(id: string): void;
  onSelect(taskRunId: string): void;
  onTravel(at: string): void;
}

/** Kinds whose reason is a text of the flow or of a program; the reasons of the others are in their sentence. */
const quotesReason: ReadonlySet<string> = new Set([
  'decided',
  'taskEnded',
  'resolved',
  'directory',
  'listenersChosen',
  'childEnded',
  'childRefused',
  'slaViolated',
  'broken',
]);

export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, isOpen, execution } = props;
  const { t, i18n } = useTranslation();
  const { id, date, state, taskRunId, taskId, value, reason, payload } = event;
  const hasMore = Object.keys(payload).length > 0;
  return (
    <li
      className={styles.row}
      ref={props.measure}
      data-index={props.index}
      data-kind={event.kind}
      data-later={props.isLater || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <div className={styles.line}>
        <button
          type="button"
          className={styles.open}
          disabled={!hasMore}
          aria-expanded={isOpen}
          aria-label={t('events.details')}
          onClick={() => props.onToggle(id)}
        >
          {hasMore && <IconChevronRight size={14} />}
        </button>
        <time className={styles.time} dateTime={date} title={date}>
          {wallClockOf(Date.parse(date), props.timeZone).slice(11)}
        </time>
        <span className={styles.icon} style={state && stateColours(state)}>
          {state ? <StateIcon state={state} size={13} className="" /> : <i className={styles.dot} />}
        </span>
        {taskId !== undefined && (
          <button
            type="button"
            className={styles.task}
            disabled={taskRunId === undefined}
            title={t('events.onlyTask', { id: taskId })}
            onClick={() => taskRunId !== undefined && props.onSelect(taskRunId)}
          >
            {value === undefined ? taskId : `${taskId} · ${value}`}
          </button>
        )}
        <span className={styles.text}>
          {eventText(event, t, { locale: i18n.language, timeZone: props.timeZone })}
          {reason !== undefined && quotesReason.has(event.kind) && (
            <code className={styles.reason}>{reason}</code>
          )}
        </span>
        <ActorName actor={event.actor} />
        <RowButton
          size={24}
          className={styles.travel}
          aria-label={t('events.travel')}
          title={t('events.travel')}
          onClick={() => props.onTravel(date)}
        >
          <IconHistory size={14} stroke={1.7} />
        </RowButton>
      </div>
      {isOpen && (
        <div className={styles.payload}>
          <ValueTree values={payload} executionId={execution.id} />
        </div>
      )}
    </li>
  );
});

const behaviors = ['QUEUE', 'CANCEL', 'FAIL'] as const;
const phases = ['opened', 'closed'] as const;
const wakes = ['schedule', 'replay', 'retry', 'pause', 'loop', 'sla'] as const;

/** The word of a payload; the first one stands for words of later versions. */
const wordOf = <T extends string>(value: unknown, words: readonly [T, ...T[]]): T =>
  words.find((word) => word === value) ?? words[0];

/** What happened, in the language of the user. The payload holds the values that the server put into its own words. */
function eventText(
  { kind, payload, state, attempt, date: happenedAt }: ExecutionEvent,
  t: TFunction,
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): string {
  const date = (value: unknown) =>
    typeof value === 'string' ? laterDate(value, happenedAt, { locale, timeZone }) : '';
  const word = (value: unknown) => (value === undefined ? '' : t(`state.${wordOf(value, stateTypes)}`));
  if (kind === 'refused')
    return t(`events.refused.${wordOf(payload.behavior, behaviors)}`, { limit: Number(payload.limit) });
  if (kind === 'directory') return t(`events.directory.${wordOf(payload.phase, phases)}`);
  if (kind === 'woken') return t(`events.woken.${wordOf(payload.wake, wakes)}`);
  if (kind === 'retryPlanned' && payload.newExecution === true)
    return t('events.kind.retryAsExecution', { date: date(payload.until) });
  if (kind === 'paused' && payload.until !== undefined)
    return t('events.kind.pausedUntil', { date: date(payload.until) });
  return t(`events.kind.${kind}`, {
    state: word(state ?? payload.childState),
    from: word(payload.from),
    attempt: (attempt ?? 0) + 1,
    next: Number(payload.nextAttempt ?? 0),
    date: date(payload.until),
    property: String(payload.property ?? ''),
    value: String(payload.value ?? ''),
    id: String(payload.slaId ?? payload.executionId ?? ''),
    changes: changesIn(payload),
  });
}

/** On the day of the event, the time is enough; it looks like the time of the event beside it. */
function laterDate(
  iso: string,
  eventIso: string,
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): string {
  const wall = wallClockOf(Date.parse(iso), timeZone);
  const isSameDay = wall.slice(0, 10) === wallClockOf(Date.parse(eventIso), timeZone).slice(0, 10);
  return isSameDay ? wall.slice(11, 19) : formatDateTime(iso, locale);
}

/** Labels and variables that changed, such as `env: dev → prod`. */
function changesIn({ added, removed, before, after, labels }: ExecutionEvent['payload']): string {
  const pairs = (value: unknown): [string, unknown][] =>
    Array.isArray(value)
      ? value.map((label: { key?: unknown; value?: unknown }) => [String(label.key), label.value])
      : Object.entries(value ?? {});
  const old = new Map(pairs(removed ?? before));
  const made = new Map(pairs(added ?? after ?? labels));
  return [...new Set([...old.keys(), ...made.keys()])]
    .map((name) =>
      [
        name,
        [old.get(name), made.get(name)]
          .filter((value) => value !== undefined)
          .map(textOf)
          .join(' → '),
      ].join(': '),
    )
    .join(', ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
