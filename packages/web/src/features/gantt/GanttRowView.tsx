import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { CSSProperties, PointerEvent } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { shownTimeZone } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StateIcon } from '../../ui/index.ts';
import { type RunRow, StateCountChips, type StateCounts } from '../iterations/index.ts';
import { type Bar, barsOf, durationOf, placeBar, type Span } from './bars.ts';
import styles from './Gantt.module.css';

interface RowProps {
  /** Given rather than asked for: a hook per row costs frames while scrolling. */
  readonly t: TFunction;
  readonly domId: string;
  readonly row: RunRow;
  readonly top: number;
  readonly span: Span;
  readonly nowMs: number;
  /** Too narrow for the word of the state; its glyph and its colour stay. */
  readonly isNarrow: boolean;
  readonly isCollapsed: boolean;
  /** Of a loop: its iterations by state. */
  readonly counts?: StateCounts | undefined;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  onToggle(): void;
  onSelect(): void;
  onHover(bars: readonly Bar[], event: PointerEvent): void;
  onLeave(): void;
}

export function GanttRowView(props: RowProps) {
  const { row, span, nowMs, isCollapsed, t } = props;
  const { run, depth, childCount } = row;
  const bars = barsOf(run);
  const state = run.state.current;
  const word = t(`state.${state}`);
  const duration = formatDuration(durationOf(run, nowMs));
  const copied = run.copied ? `${t('taskRun.copied')} · ` : run.edited ? `${t('fork.edited')} · ` : '';
  const Chevron = isCollapsed ? IconChevronRight : IconChevronDown;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys, by the active descendant.
    // biome-ignore lint/a11y/useFocusableInteractive: the same; only the tree takes the focus.
    <div
      id={props.domId}
      className={styles.row}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={props.isSelected}
      aria-expanded={childCount > 0 ? !isCollapsed : undefined}
      aria-label={t('gantt.row', { id: run.taskId, value: run.value ?? '', state: copied + word, duration })}
      data-selected={props.isSelected || undefined}
      data-active={props.isActive || undefined}
      style={{
        transform: `translateY(${props.top}px)`,
        color: `var(--mr-state-${state.toLowerCase()}-text)`,
      }}
      onClick={props.onSelect}
      onPointerEnter={(event) => props.onHover(bars, event)}
      onPointerLeave={props.onLeave}
    >
      <div className={styles.name} style={{ '--depth': depth } as CSSProperties /* custom property */}>
        {childCount > 0 ? (
          <button
            type="button"
            className={styles.chevron}
            tabIndex={-1}
            aria-label={t(isCollapsed ? 'gantt.expand' : 'gantt.collapse', { id: run.taskId })}
            onClick={(event) => {
              event.stopPropagation();
              props.onToggle();
            }}
          >
            <Chevron size={14} aria-hidden />
          </button>
        ) : (
          <span className={styles.chevron} />
        )}
        <StateIcon state={state} size={12} className={styles.glyph ?? ''} />
        <span className={styles.id} title={run.taskId}>
          {run.taskId}
        </span>{' '}
        {/* The spaces take no room; they separate the words for screen readers. */}
        {run.value !== undefined && (
          <span className={styles.value} title={run.value}>
            {run.value}
          </span>
        )}{' '}
        {isCollapsed &&
          (props.counts ? (
            <StateCountChips counts={props.counts} />
          ) : (
            <span className={styles.count}>{t('gantt.hidden', { count: childCount })}</span>
          ))}
      </div>{' '}
      <div className={styles.track}>
        {run.copied ? (
          <span className={styles.copied} />
        ) : (
          bars.map((bar) => (
            <BarView key={`${bar.kind} ${bar.startMs} ${bar.attempt}`} bar={bar} span={span} nowMs={nowMs} />
          ))
        )}
        <BarLabel
          last={run.copied ? undefined : bars.at(-1)}
          span={span}
          nowMs={nowMs}
          text={copied + (props.isNarrow ? duration : `${word} · ${duration}`)}
        />
      </div>
    </div>
  );
}

function BarView({ bar, span, nowMs }: { bar: Bar; span: Span; nowMs: number }) {
  const { left, width } = placeBar(bar, span, nowMs);
  return (
    <span
      className={styles.bar}
      data-kind={bar.kind}
      data-state={bar.state}
      data-growing={bar.endMs === undefined || undefined}
      style={{
        left: `${left * 100}%`,
        width: `${width * 100}%`,
        ...(bar.kind !== 'waiting' && {
          backgroundColor: `var(--mr-state-${bar.state.toLowerCase()}-solid)`,
        }),
      }}
    >
      {bar.attempt !== undefined && <span className={styles.attempt}>{bar.attempt}</span>}
    </span>
  );
}

/** The word stands after the bar: the axis ends early enough for it. A copied run has no bar on this axis. */
function BarLabel({ last, span, nowMs, text }: BarLabelProps) {
  const place = last && placeBar(last, span, nowMs);
  return (
    <span
      className={styles.label}
      data-copied={!place || undefined}
      style={place && { left: `${(place.left + place.width) * 100}%` }}
    >
      {text}
    </span>
  );
}

interface BarLabelProps {
  readonly last: Bar | undefined;
  readonly span: Span;
  readonly nowMs: number;
  readonly text: string;
}

export interface Hovered {
  readonly id: string;
  readonly bars: readonly Bar[];
  readonly isCopied: boolean;
  readonly x: number;
  readonly y: number;
}

/** The figures behind the bars under the pointer. One for all rows; the style sheet delays it a little. */
export function BarDetails({ hovered, nowMs }: { hovered: Hovered; nowMs: number }) {
  const { t, i18n } = useTranslation();
  const clock = new Intl.DateTimeFormat(i18n.language, {
    // Another execution may have run on another day.
    ...(hovered.isCopied && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZone: shownTimeZone(),
  });
  return (
    <div
      className={styles.details}
      key={hovered.id}
      role="tooltip"
      style={{ left: hovered.x, top: hovered.y }}
    >
      {hovered.isCopied && <p>{t('taskRun.copiedHint')}</p>}
      <dl>
        {hovered.bars.map((bar) => (
          <div key={`${bar.kind} ${bar.startMs} ${bar.attempt}`}>
            <dt>{nameOf(bar, t)}</dt>
            <dd>
              {clock.format(bar.startMs)} · {formatDuration((bar.endMs ?? nowMs) - bar.startMs)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function nameOf({ kind, attempt, state }: Bar, t: TFunction): string {
  if (kind === 'waiting') return t('gantt.waiting');
  if (kind === 'retry') return t('gantt.retryWait');
  const word = t(kind === 'lost' ? 'gantt.workerLost' : `state.${state}`);
  return attempt === undefined ? word : t('gantt.attempt', { number: attempt, state: word });
}
