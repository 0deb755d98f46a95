import { type ExecutionEvent, stateTypes } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { formatDateTime } from '../../../format/date.ts';
import { wallClockOf } from '../../../format/timeZone.ts';

const behaviors = ['QUEUE', 'CANCEL', 'FAIL'] as const;
const phases = ['opened', 'closed'] as const;
const wakes = ['schedule', 'replay', 'retry', 'pause', 'loop', 'sla'] as const;

/** The word of a payload; the first one stands for words of later versions. */
const wordOf = <T extends string>(value: unknown, words: readonly [T, ...T[]]): T =>
  words.find((word) => word === value) ?? words[0];

/** What happened, in the language of the user. The payload holds the values that the server put into its own words. */
export function eventText(
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
