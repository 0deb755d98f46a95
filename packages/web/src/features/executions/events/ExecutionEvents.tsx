import { Button, SegmentedControl } from '@mantine/core';
import type { ExecutionEvent } from '@millrace/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../../format/number.ts';
import { browserTimeZone } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useSetting } from '../../../storage/settings.ts';
import { EmptyState, Loading } from '../../../ui/index.ts';
import { useInstant } from '../../../ui/instant.ts';
import { TaskRunFilterChip } from '../page/TaskRunFilterChip.tsx';
import type { ExecutionTabProps } from '../page/tabParts.ts';
import { type EventGroup, eventGroups } from '../search.ts';
import { EventRow } from './EventRow.tsx';
import styles from './ExecutionEvents.module.css';
import { eventsQuery } from './eventsQuery.ts';

const ROW_PX = 38;
/** The next page is requested this many rows before the end of the loaded rows. */
const AHEAD = 100;

/** What happened to an execution, when, why, and who asked for it. */
export function ExecutionEvents({ execution, selectedId, onSelect, search, keep }: ExecutionTabProps) {
  const { t } = useTranslation();
  const timeZone = useSetting('timeZone') || browserTimeZone();
  const instant = useInstant();
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const last = execution.taskRunList?.at(-1)?.state;
  const revision = instant
    ? ''
    : `${execution.state.histories.length} ${execution.taskRunList?.length ?? 0} ${last?.histories.length ?? 0}`;
  const { data, error, isPending, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery(eventsQuery(execution.id, { taskRunId: selected?.id, group: search.events, revision }));
  const events = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);
  // At a past moment later events are still listed, but paler: the list is how one finds a moment.
  const isLater = (event: ExecutionEvent) => instant !== undefined && Date.parse(event.date) > instant.atMs;
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 10,
    initialRect: { width: 800, height: 480 },
  });
  const drawn = virtualizer.getVirtualItems();
  const end = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && end > events.length - AHEAD) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, end, events.length, fetchNextPage]);

  const toggle = (id: string) =>
    setOpened((ids) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  return (
    <div className={styles.events}>
      <div className={styles.toolbar}>
        {selected && (
          <TaskRunFilterChip
            run={selected}
            showAll={t('events.showAll')}
            onClear={() => onSelect(undefined)}
          />
        )}
        <SegmentedControl<EventGroup | 'all'>
          size="xs"
          aria-label={t('events.filter')}
          value={search.events ?? 'all'}
          onChange={(group) => keep({ events: group === 'all' ? undefined : group })}
          data={(['all', ...eventGroups] as const).map((group) => ({
            value: group,
            label: t(`events.group.${group}`),
          }))}
        />
        <span className={styles.count} role="status">
          {t('events.count', { shown: `${formatNumber(events.length)}${hasNextPage ? '+' : ''}` })}
        </span>
      </div>
      {events.length > 0 ? (
        <section
          className={styles.scroller}
          ref={scroller}
          aria-label={t('events.label')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
        >
          <ol className={styles.canvas} style={{ height: virtualizer.getTotalSize() }}>
            {drawn.map(({ index, start }) => {
              const event = events[index];
              if (!event) return null;
              return (
                <EventRow
                  key={event.id}
                  event={event}
                  index={index}
                  top={start}
                  execution={execution}
                  timeZone={timeZone}
                  isOpen={opened.has(event.id)}
                  isLater={isLater(event)}
                  measure={virtualizer.measureElement}
                  onToggle={toggle}
                  onSelect={onSelect}
                  onTravel={(at) => keep({ at })}
                />
              );
            })}
          </ol>
        </section>
      ) : isPending ? (
        <Loading />
      ) : (
        <EmptyState
          illustration={error ? 'closedGate' : 'stillWater'}
          title={t(error ? 'events.loadFailed' : 'events.none')}
          {...(error
            ? {
                detail: error.message,
                action: <Button onClick={() => void refetch()}>{t('action.retry')}</Button>,
              }
            : { text: t('events.noneText') })}
        />
      )}
    </div>
  );
}
