import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import styles from './SplitPane.module.css';

interface SplitPaneProps {
  /** The name under which the place of the divider is remembered. */
  name: string;
  start: ReactNode;
  end: ReactNode;
  defaultPercent?: number;
  minPercent?: number;
  maxPercent?: number;
  /** Only the first part is shown, and it keeps its state when the second one comes back. */
  isAlone?: boolean;
}

/** Two parts side by side with a divider to drag, or to move with the arrow keys. One above the other on a phone. */
export function SplitPane(props: SplitPaneProps) {
  const { name, start, end, defaultPercent = 50, minPercent = 25, maxPercent = 75, isAlone = false } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [percent, setPercent] = useState(() => Number(readStored(`split:${name}`)) || defaultPercent);

  const move = (next: number) => {
    const clamped = Math.min(maxPercent, Math.max(minPercent, next));
    setPercent(clamped);
    writeStored(`split:${name}`, clamped.toFixed(1));
  };
  const drag = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
    const { left, width } = box.current.getBoundingClientRect();
    move(((event.clientX - left) / width) * 100);
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') move(percent - 2);
    if (event.key === 'ArrowRight') move(percent + 2);
  };

  return (
    <div className={styles.split} ref={box}>
      <div className={styles.part} style={{ flexBasis: isAlone ? '100%' : `${percent}%` }}>
        {start}
      </div>
      {!isAlone && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is not a ruler line. */}
          <div
            className={styles.divider}
            role="separator"
            aria-orientation="vertical"
            aria-label={t('splitter')}
            aria-valuenow={Math.round(percent)}
            aria-valuemin={minPercent}
            aria-valuemax={maxPercent}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onKeyDown={step}
            onDoubleClick={() => move(defaultPercent)}
          />
          <div className={styles.part} style={{ flexBasis: `${100 - percent}%` }}>
            {end}
          </div>
        </>
      )}
    </div>
  );
}
