import { Button } from '@mantine/core';
import { IconArrowDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { browserTimeZone } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useSetting } from '../../storage/settings.ts';
import { LogRow } from './LogRow.tsx';
import styles from './LogView.module.css';
import { isHeading, type LogHeading, type LogItem } from './logLine.ts';

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

interface LogHeadingRowProps {
  readonly heading: LogHeading;
  readonly index: number;
  readonly top: number;
  onToggle(id: string): void;
}

/** Names the group of the lines below it, and opens and closes them. */
function LogHeadingRow({ heading, index, top, onToggle }: LogHeadingRowProps) {
  const { t } = useTranslation();
  const { group, count, isOpen } = heading;
  return (
    <button
      type="button"
      className={styles.heading}
      data-index={index}
      aria-expanded={count > 0 ? isOpen : undefined}
      disabled={count === 0}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onToggle(group.id)}
    >
      <IconChevronRight className={styles.chevron} size={14} aria-hidden />
      {group.heading}
      <span className={styles.headingCount}>{t('logs.lines', { count })}</span>
    </button>
  );
}

const SLOTS = 300;

/** Where on the scrollbar the hits and the errors are. */
const ScrollMarks = memo(function ScrollMarks({
  items,
  hits,
}: {
  items: readonly LogItem[];
  hits: readonly number[];
}) {
  const errors = useMemo(() => {
    const found: number[] = [];
    // While a log is followed this runs several times a second over all of it: an iterator costs five times as much.
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index]!;
      if (!isHeading(item) && item.entry.level === 'ERROR') found.push(index);
    }
    return found;
  }, [items]);
  return (
    <svg className={styles.marks} viewBox={`0 0 1 ${SLOTS}`} preserveAspectRatio="none" aria-hidden="true">
      {placeMarks(errors, items.length, SLOTS).map((at) => (
        <rect key={`e${at}`} className={styles.errorMark} x="0.5" width="0.5" y={at * SLOTS} height="2" />
      ))}
      {placeMarks(hits, items.length, SLOTS).map((at) => (
        <rect key={`h${at}`} className={styles.hitMark} x="0" width="0.5" y={at * SLOTS} height="2" />
      ))}
    </svg>
  );
});

/** Groups places in a list into at most `slots` marks on its scrollbar, each from 0 to 1. */
export function placeMarks(indexes: readonly number[], total: number, slots: number): number[] {
  if (total === 0) return [];
  const marks: number[] = [];
  let last = -1;
  for (const index of indexes) {
    const slot = Math.floor((index / total) * slots);
    if (slot === last) continue;
    last = slot;
    marks.push(slot / slots);
  }
  return marks;
}

/**
 * Names the rows of a list that is drawn in part. A row that stays in sight keeps its name. When all of them go at once,
 * as in a fast scroll, the new ones take over the names and with them the elements of the old: creating as many again costs
 * most of the frame rate.
 */
export class RowKeys {
  #first = 0;
  #last = -1;
  #shift = 0;

  /** Which part of the list is drawn now. */
  draw(first: number, last: number): void {
    const isElsewhere = first > this.#last || last < this.#first;
    if (isElsewhere) this.#shift += first - this.#first;
    this.#first = first;
    this.#last = last;
  }

  keyOf(index: number): number {
    return index - this.#shift;
  }
}

interface Followed {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly count: number;
  readonly follow: boolean;
}

const NEAR_END_PX = 30;

/** Stays at the end while lines arrive; scrolling up stops following, reaching the end follows again. */
function useFollow({ scroller, virtualizer, count, follow }: Followed) {
  const [isFollowing, setFollowing] = useState(true);
  const [seen, setSeen] = useState(count);
  const lastTop = useRef(0);

  useEffect(() => {
    if (follow && isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [count, follow, isFollowing, virtualizer]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const goesUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    if (isAtEnd) setFollowing(true);
    else if (goesUp && isFollowing) {
      setFollowing(false);
      setSeen(count);
    }
  };
  const jumpToEnd = () => {
    setFollowing(true);
    virtualizer.scrollToIndex(count - 1, { align: 'end' });
  };
  return { isFollowing, unseen: isFollowing ? 0 : Math.max(0, count - seen), jumpToEnd, onScroll };
}
