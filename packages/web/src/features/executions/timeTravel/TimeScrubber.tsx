import { ActionIcon, Button, Group } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, startTransition, useEffect, useMemo, useState } from 'react';
import { formatDateTime, useDateSettings } from '../../../format/date.ts';
import { formatDuration } from '../../../format/duration.ts';
import { browserTimeZone, wallClockOf } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useSetting } from '../../../storage/settings.ts';
import { CopyButton, StatePill } from '../../../ui/index.ts';
import { changesQuery } from '../events/eventsQuery.ts';
import { MoreTaskRuns } from '../page/ExecutionTab.tsx';
import type { SetSearch } from '../search.ts';
import { useShowPast } from './past.tsx';
import styles from './TimeScrubber.module.css';
import { type Moment, TimeIndex } from './timeIndex.ts';

interface TimeScrubberProps {
  readonly execution: Execution;
  /** The moment in the address. */
  readonly at: string;
  readonly keep: SetSearch;
}

/** While the handle moves, the address waits: changing it on each step would cost more than the step. */
const settleMs = 250;
const bars = 160;
/** How far page keys go, in events. */
const page = 10;

/** Chooses a moment of an execution; every view of the page then shows it as it was. */
export function TimeScrubber({ execution, at, keep }: TimeScrubberProps) {
  const { t } = useTranslation();
  const show = useShowPast();
  const { data } = useQuery(changesQuery(execution.id, String(execution.state.histories.length)));
  const index = useMemo(() => new TimeIndex(execution, data?.results), [execution, data]);
  const [chosen, setChosen] = useState({ at, ms: Date.parse(at) });
  // Another address, from a link or from Back, is another moment.
  if (chosen.at !== at) setChosen({ at, ms: Date.parse(at) });
  const atMs = within(index, Number.isNaN(chosen.ms) ? index.endMs : chosen.ms);
  const choose = (ms: number | undefined) => {
    if (ms !== undefined) setChosen({ at, ms: Math.round(within(index, ms)) });
  };

  useEffect(() => {
    const iso = new Date(atMs).toISOString();
    if (iso === at) return;
    const timer = setTimeout(() => keep({ at: iso }), settleMs);
    return () => clearTimeout(timer);
  }, [atMs, at, keep]);

  useEffect(() => {
    // The handle must follow the pointer even while a large view is drawn.
    startTransition(() =>
      show({
        execution: index.at(atMs),
        instant: { atMs, startMs: index.startMs, endMs: index.endMs },
      }),
    );
  }, [index, atMs, show]);
  useEffect(() => () => show(undefined), [show]);

  const onKeyDown = (event: KeyboardEvent) => {
    const to = momentFor(event.key, index, atMs);
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };

  const previous = index.previous(atMs);
  const next = index.next(atMs);
  return (
    <section className={styles.scrubber} aria-label={t('timeTravel.label')}>
      <Group gap={2} wrap="nowrap">
        <Step
          name="first"
          icon={IconChevronsLeft}
          isOff={atMs <= index.startMs}
          onClick={() => choose(index.startMs)}
        />
        <Step
          name="previous"
          icon={IconChevronLeft}
          isOff={previous === undefined}
          onClick={() => choose(previous)}
        />
        <Step name="next" icon={IconChevronRight} isOff={next === undefined} onClick={() => choose(next)} />
        <Step
          name="last"
          icon={IconChevronsRight}
          isOff={atMs >= index.endMs}
          onClick={() => choose(index.endMs)}
        />
      </Group>
      <div className={styles.track}>
        <Density index={index} />
        <input
          type="range"
          className={styles.range}
          min={index.startMs}
          max={Math.max(index.endMs, index.startMs + 1)}
          step={1}
          value={atMs}
          aria-label={t('timeTravel.moment')}
          aria-valuetext={`+${formatDuration(atMs - index.startMs)}`}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <MomentText atMs={atMs} startMs={index.startMs} last={index.lastBefore(atMs)} />
      <Group gap={4} wrap="nowrap">
        <CopyButton value={addressOf(atMs)} />
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconX size={14} />}
          onClick={() => keep({ at: undefined })}
        >
          {t('timeTravel.close')}
        </Button>
      </Group>
      <MoreTaskRuns execution={execution} />
    </section>
  );
}

const within = ({ startMs, endMs }: TimeIndex, ms: number): number => Math.min(Math.max(ms, startMs), endMs);

function addressOf(atMs: number): string {
  const address = new URL(window.location.href);
  address.searchParams.set('at', new Date(atMs).toISOString());
  return address.href;
}

/** Arrows go from event to event, page keys over several, Home and End to the ends. */
function momentFor(key: string, index: TimeIndex, atMs: number): number | undefined {
  const walk = (step: 'next' | 'previous', times: number) => {
    let ms = atMs;
    for (let count = 0; count < times; count += 1) ms = index[step](ms) ?? ms;
    return ms;
  };
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return walk('next', 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return walk('previous', 1);
    case 'PageUp':
      return walk('next', page);
    case 'PageDown':
      return walk('previous', page);
    case 'Home':
      return index.startMs;
    case 'End':
      return index.endMs;
    default:
      return undefined;
  }
}

interface StepProps {
  name: 'first' | 'previous' | 'next' | 'last';
  icon: typeof IconX;
  isOff: boolean;
  onClick: () => void;
}

function Step({ name, icon: Icon, isOff, onClick }: StepProps) {
  const { t } = useTranslation();
  const label = t(`timeTravel.${name}`);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon size={17} stroke={1.7} />
    </ActionIcon>
  );
}

/** Where in the time something happened, and where something failed. */
function Density({ index }: { index: TimeIndex }) {
  const bins = useMemo(() => index.bins(bars), [index]);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <svg className={styles.density} viewBox={`0 0 ${bars} 10`} preserveAspectRatio="none" aria-hidden="true">
      {bins.map(({ count, hasFailure }, position) =>
        count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a part of the time is its position.
            key={position}
            x={position + 0.1}
            width={0.8}
            // Few events stay visible beside many.
            y={10 - 2 - 8 * Math.sqrt(count / most)}
            height={2 + 8 * Math.sqrt(count / most)}
            data-failed={hasFailure || undefined}
          />
        ),
      )}
    </svg>
  );
}

function MomentText({ atMs, startMs, last }: { atMs: number; startMs: number; last: Moment | undefined }) {
  const { i18n } = useTranslation();
  useDateSettings();
  const timeZone = useSetting('timeZone') || browserTimeZone();
  const iso = new Date(atMs).toISOString();
  return (
    <div className={styles.moment} role="status" aria-live="off">
      <time dateTime={iso} title={formatDateTime(iso, i18n.language)}>
        {wallClockOf(atMs, timeZone).slice(11)}
      </time>
      <span className={styles.offset}>+{formatDuration(atMs - startMs)}</span>
      {last && (
        <span className={styles.last}>
          {last.run && (
            <code>{last.run.value ? `${last.run.taskId} · ${last.run.value}` : last.run.taskId}</code>
          )}
          <StatePill state={last.state} size="sm" still />
        </span>
      )}
    </div>
  );
}
