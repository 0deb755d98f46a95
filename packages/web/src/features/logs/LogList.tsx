import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserTimeZone } from '../../format/timeZone.ts';
import { useSetting } from '../../storage/settings.ts';
import { LogHeadingRow } from './LogHeadingRow.tsx';
import { LogRow } from './LogRow.tsx';
import styles from './LogView.module.css';
import { isHeading, type LogItem } from './logGroups.ts';
import { RowKeys } from './rowKeys.ts';
import { ScrollMarks } from './ScrollMarks.tsx';
import { useFollow } from './useFollow.ts';

/** At the usual size of the text; a larger one needs higher rows. */
const ROW_PX = 22;
const HEADING_PX = 36;
const rowPx = (fontPx: number) => Math.max(ROW_PX, Math.round(fontPx * 1.7));

interface LogListProps {
  readonly items: readonly LogItem[];
  readonly hits: readonly number[];
  readonly search: string;
  readonly currentHit: number | undefined;
  readonly follow: boolean;
  readonly showTask: boolean;
  onOnlyRun(taskRunId: string): void;
  onToggleGroup(id: string): void;
}

/** Rows of one height; only an opened one is measured. Measuring all of them costs most of the frame rate. */
export function LogList(props: LogListProps) {
  const { items, hits, search, currentHit, follow, showTask, onOnlyRun, onToggleGroup } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(() => new Set());
  const [rowKeys] = useState(() => new RowKeys());
  // A new function here makes the virtualizer place every line again.
  const getItemKey = useCallback((index: number) => keyOf(items[index]) ?? index, [items]);
  const fontPx = useSetting('logsFontSize');
  const rowHeight = rowPx(fontPx);
  const zone = useSetting('timeZone');
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (isHeadingAt(items, index) ? HEADING_PX : rowHeight),
    getItemKey,
    overscan: 4,
    initialRect: { width: 800, height: 480 },
  });
  const { isFollowing, unseen, jumpToEnd, onScroll } = useFollow({
    scroller,
    virtualizer,
    count: items.length,
    follow,
  });

  useEffect(() => {
    if (currentHit !== undefined) virtualizer.scrollToIndex(currentHit, { align: 'center' });
  }, [currentHit, virtualizer]);

  const words = useMemo(
    () => ({
      open: t('logs.open'),
      close: t('logs.close'),
      onlyTask: t('logs.onlyTask'),
      attempt: t('logs.attempt'),
      timeZone: zone || browserTimeZone(),
    }),
    [t, zone],
  );
  const hitSet = useMemo(() => new Set(hits), [hits]);
  const toggle = useCallback((number: number) => {
    setOpened((numbers) => {
      const next = new Set(numbers);
      if (!next.delete(number)) next.add(number);
      return next;
    });
  }, []);

  const drawn = virtualizer.getVirtualItems();
  rowKeys.draw(drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0);

  return (
    <div className={styles.frame}>
      <div
        className={styles.scroller}
        ref={scroller}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        role="log"
        aria-label={t('logs.label')}
        aria-live="off"
      >
        <div
          className={styles.canvas}
          style={{ height: virtualizer.getTotalSize(), fontSize: fontPx, lineHeight: `${rowHeight}px` }}
        >
          {drawn.map(({ index, start }) => {
            const item = items[index];
            if (!item) return null;
            const key = rowKeys.keyOf(index);
            if (isHeading(item))
              return (
                <LogHeadingRow key={key} heading={item} index={index} top={start} onToggle={onToggleGroup} />
              );
            const line = item;
            const isOpen = opened.has(line.number);
            return (
              <LogRow
                key={key}
                line={line}
                index={index}
                top={start}
                search={hitSet.has(index) ? search : ''}
                isCurrent={index === currentHit}
                isOpen={isOpen}
                showTask={showTask}
                words={words}
                measure={isOpen ? virtualizer.measureElement : undefined}
                onToggle={toggle}
                onOnlyRun={onOnlyRun}
              />
            );
          })}
        </div>
      </div>
      {virtualizer.getTotalSize() > (virtualizer.scrollRect?.height ?? 0) && (
        <ScrollMarks items={items} hits={hits} />
      )}
      {!isFollowing && follow && (
        <Button
          className={styles.jump ?? ''}
          size="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={jumpToEnd}
        >
          {unseen > 0 ? t('logs.newLines', { count: unseen }) : t('logs.jumpToEnd')}
        </Button>
      )}
    </div>
  );
}

const isHeadingAt = (items: readonly LogItem[], index: number): boolean => {
  const item = items[index];
  return item !== undefined && isHeading(item);
};

const keyOf = (item: LogItem | undefined): number | string | undefined =>
  item && (isHeading(item) ? item.group.id : item.number);
