import type { TFunction } from 'i18next';
import { formatDuration } from '../../format/duration.ts';
import { shownTimeZone } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { Bar } from './bars.ts';
import styles from './Gantt.module.css';

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
