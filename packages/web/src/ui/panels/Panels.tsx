import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconRestore } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../Hint.tsx';
import {
  type Area,
  activate,
  closeTab,
  type Divider,
  type Layout,
  leastShare,
  placesOf,
  resize,
  type Stack,
  stackOf,
  tabsOf,
} from './layout.ts';
import { PanelDrop } from './PanelDrop.tsx';
import styles from './Panels.module.css';
import { type PanelTab, PanelTabs } from './PanelTabs.tsx';
import type { PanelLayout } from './usePanelLayout.ts';

export interface Panel extends PanelTab {
  readonly content: ReactNode;
}

interface PanelsProps {
  readonly panels: readonly Panel[];
  readonly layout: PanelLayout;
  /** Further buttons beside those of the panels. */
  readonly tools?: ReactNode;
}

/**
 * Parts of a page as tabs in stacks, beside and below each other. All panels are children of one element and are placed
 * by coordinates: a panel that moves into another stack keeps its state, as of an editor inside it.
 */
export function Panels({ panels, layout: { layout, arrange, show, reset, isChanged }, tools }: PanelsProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const open = tabsOf(layout);
  // A phone shows one panel at a time.
  const isNarrow = useMediaQuery('(max-width: 767px)') ?? false;
  const shown = isNarrow ? oneStack(layout, focused) : layout;
  const { stacks, dividers } = placesOf(shown);
  const mounted = useMounted(stacks.map(({ stack }) => stack.active));
  const known = (stack: Stack) => stack.tabs.flatMap((id) => panels.find((panel) => panel.id === id) ?? []);

  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    area.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(wanted.current)}"]`)?.focus();
    wanted.current = undefined;
  });
  /** The focus stays on the tab that was moved with the keyboard. */
  const place = (next: Layout, focus: string) => {
    wanted.current = focus;
    setFocused(focus);
    arrange(next);
  };
  const choose = (id: string) => {
    setFocused(id);
    arrange(activate(layout, id));
  };
  const close = (id: string) => {
    const next = closeTab(layout, id);
    wanted.current = stacks
      .find(({ stack }) => stack.tabs.includes(id))
      ?.stack.tabs.find((tab) => tab !== id);
    arrange(next);
  };
  return (
    <div className={styles.panels}>
      <div className={styles.choice} role="toolbar" aria-label={t('panels.choose')}>
        {panels.map(({ id, title }) => (
          <Button
            key={id}
            size="compact-sm"
            variant={open.includes(id) ? 'light' : 'subtle'}
            aria-pressed={open.includes(id)}
            onClick={() => {
              setFocused(id);
              if (open.includes(id)) arrange(closeTab(layout, id));
              else show(id);
            }}
          >
            {title}
          </Button>
        ))}
        <span className={styles.tools}>
          {isChanged && (
            <Hint label={t('panels.reset')}>
              <ActionIcon size={26} aria-label={t('panels.reset')} onClick={reset}>
                <IconRestore size={15} stroke={1.7} />
              </ActionIcon>
            </Hint>
          )}
          {tools}
        </span>
      </div>
      <div className={styles.area} ref={area}>
        {open.length === 0 && <p className={styles.none}>{t('panels.none')}</p>}
        {stacks.flatMap(({ stack, area: at }) => [
          open.length > 0 && (
            <PanelTabs
              key={`tabs ${stack.tabs[0]}`}
              panels={known(stack)}
              layout={layout}
              active={stack.active}
              style={stripAt(at)}
              canSplit={!isNarrow}
              onChoose={choose}
              onClose={close}
              onPlace={place}
              onDrag={setDragged}
            />
          ),
          ...known(stack).flatMap((panel) =>
            mounted.has(panel.id) || panel.id === stack.active
              ? [
                  <section
                    key={panel.id}
                    className={styles.content}
                    style={contentAt(at)}
                    aria-label={panel.title}
                    data-hidden={panel.id !== stack.active || undefined}
                    inert={panel.id !== stack.active}
                  >
                    {panel.content}
                  </section>,
                ]
              : [],
          ),
        ])}
        {dividers.map((divider) => (
          <DividerBar
            key={`${divider.path.join('-')}:${divider.index}`}
            divider={divider}
            frame={area}
            onMove={(by) => arrange(resize(layout, divider.path, divider.index, by))}
          />
        ))}
        {dragged !== undefined && (
          <PanelDrop
            dragged={dragged}
            layout={layout}
            frame={area}
            onDrop={(next) => {
              setDragged(undefined);
              place(next, dragged);
            }}
          />
        )}
      </div>
    </div>
  );
}

/** Every tab in one stack, with the one on top that was chosen last. */
function oneStack(layout: Layout, focused: string | undefined): Stack {
  const tabs = tabsOf(layout);
  const active = focused !== undefined && tabs.includes(focused) ? focused : tabs[0];
  return { ...stackOf(...tabs), active: active ?? '' };
}

/** The panels that were on top of their stack once: one behind the others is drawn when it is first needed. */
function useMounted(active: readonly string[]): ReadonlySet<string> {
  const [mounted, setMounted] = useState<ReadonlySet<string>>(() => new Set(active));
  const missing = active.filter((id) => !mounted.has(id));
  if (missing.length > 0) setMounted(new Set([...mounted, ...missing]));
  return mounted;
}

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
const stripHeight = 34;

const stripAt = ({ left, top, width }: Area) => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
});
const contentAt = ({ left, top, width, height }: Area) => ({
  left: percent(left),
  top: `calc(${percent(top)} + ${stripHeight}px)`,
  width: percent(width),
  height: `calc(${percent(height)} - ${stripHeight}px)`,
});

interface DividerBarProps {
  divider: Divider;
  frame: RefObject<HTMLDivElement | null>;
  onMove: (by: number) => void;
}

function DividerBar({ divider, frame, onMove }: DividerBarProps) {
  const { t } = useTranslation();
  const isRow = divider.direction === 'row';
  const { left, top, width, height } = divider.area;
  const drag = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return;
    const box = frame.current.getBoundingClientRect();
    const [at, size] = isRow ? [event.clientX - box.left, box.width] : [event.clientY - box.top, box.height];
    onMove((at / size - (isRow ? left : top)) / divider.length);
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is not a ruler line.
    <div
      className={styles.divider}
      data-direction={divider.direction}
      role="separator"
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label={t('splitter')}
      aria-valuenow={Math.round(divider.share * 100)}
      aria-valuemin={leastShare * 100}
      aria-valuemax={100 - leastShare * 100}
      tabIndex={0}
      style={{
        left: percent(left),
        top: percent(top),
        ...(isRow ? { height: percent(height) } : { width: percent(width) }),
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  );
}
