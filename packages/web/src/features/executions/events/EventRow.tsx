import type { Execution, ExecutionEvent } from '@millrace/contract';
import { IconChevronRight, IconHistory } from '@tabler/icons-react';
import { memo } from 'react';
import { wallClockOf } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { StateIcon, stateColours } from '../../../ui/index.ts';
import { RowButton } from '../../../ui/RowButton.tsx';
import { ActorName } from '../ActorName.tsx';
import { ValueTree } from '../page/ValueTree.tsx';
import styles from './ExecutionEvents.module.css';
import { eventText } from './eventText.ts';

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
