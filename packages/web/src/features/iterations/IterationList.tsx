import type { StateType } from '@millrace/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../format/number.ts';
import { openTime } from '../../format/openTime.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { SearchInput, StateIcon, StatePill, TimeOpen } from '../../ui/index.ts';
import { filterIterations, type Iteration, type IterationFilter, type Loop } from './foldRuns.ts';
import styles from './iterations.module.css';

const ROW_PX = 32;
const PAGE = 10;

interface IterationListProps {
  readonly loop: Loop;
  readonly openValue: string | undefined;
  readonly filter: IterationFilter;
  onFilter(filter: IterationFilter): void;
  onOpen(iterationId: string): void;
}

/** The iterations of a loop, by state and by value. Only those in sight exist. */
export function IterationList({ loop, openValue, filter, onFilter, onOpen }: IterationListProps) {
  const { t } = useTranslation();
  const { state, text } = filter;
  const found = useMemo(() => filterIterations(loop, { state, text }), [loop, state, text]);
  const [activeValue, setActiveValue] = useState(openValue);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    initialRect: { width: 600, height: 240 },
  });
  const activeIndex = Math.max(
    0,
    found.findIndex(({ value }) => value === activeValue),
  );
  const active = found[activeIndex];
  const rowId = ({ id }: Iteration) => `iteration-${id}`;

  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexAfter(event.key, activeIndex, found.length);
    if ((event.key === 'Enter' || event.key === ' ') && active) onOpen(active.id);
    else if (index === undefined) return;
    else {
      setActiveValue(found[index]?.value);
      virtualizer.scrollToIndex(index, { align: 'auto' });
    }
    event.preventDefault();
  };

  return (
    <div className={styles.panel}>
      <div className={styles.filters}>
        <SearchInput
          value={text}
          onChange={(next) => onFilter({ state, text: next })}
          placeholder={t('iteration.search')}
        />
        {loop.counts.map(([one, count]) => (
          <StateButton
            key={one}
            state={one}
            count={count}
            isPressed={state === one}
            onPress={() => onFilter({ text, state: state === one ? undefined : one })}
          />
        ))}
        <span className={styles.found} role="status">
          {t('iteration.shown', {
            shown: formatNumber(found.length),
            total: formatNumber(loop.iterations.length),
          })}
        </span>
      </div>
      <div
        ref={scroller}
        className={styles.list}
        role="listbox"
        tabIndex={0}
        aria-label={t('iteration.list', { id: loop.run.taskId })}
        aria-activedescendant={active && rowId(active)}
        onKeyDown={onKeyDown}
      >
        {found.length === 0 && <p className={styles.none}>{t('iteration.none')}</p>}
        <div style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const iteration = found[index];
            if (!iteration) return null;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it handles the keys, by the active descendant.
              // biome-ignore lint/a11y/useFocusableInteractive: the same; only the list takes the focus.
              <div
                key={iteration.id}
                id={rowId(iteration)}
                role="option"
                className={styles.row}
                aria-selected={iteration.value === openValue}
                data-active={index === activeIndex || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActiveValue(iteration.value);
                  onOpen(iteration.id);
                }}
              >
                <span className={styles.number}>{formatNumber(iteration.number)}</span>
                <StatePill state={iteration.state} size="sm" />
                <code className={styles.rowValue} title={iteration.value}>
                  {iteration.value}
                </code>
                <span className={styles.duration}>
                  <TimeOpen time={openTime(...iteration.runs.map(({ state }) => state))} />
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface StateButtonProps {
  readonly state: StateType;
  readonly count: number;
  readonly isPressed: boolean;
  onPress(): void;
}

function StateButton({ state, count, isPressed, onPress }: StateButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.state}
      aria-pressed={isPressed}
      style={{ color: `var(--mr-state-${state.toLowerCase()}-text)` }}
      onClick={onPress}
    >
      <StateIcon state={state} size={11} />
      {t(`state.${state}`)} {formatNumber(count)}
    </button>
  );
}

function indexAfter(key: string, index: number, count: number): number | undefined {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = steps[key];
  return step === undefined ? undefined : Math.min(Math.max(index + step, 0), count - 1);
}
