import { ActionIcon, CloseButton, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Layout, type Side, splitTab, stacksOf, stackTab, tabsOf } from './layout.ts';
import styles from './Panels.module.css';

export interface PanelTab {
  readonly id: string;
  readonly title: string;
  /** Something in it is not saved. */
  readonly isDirty?: boolean | undefined;
}

interface PanelTabsProps {
  readonly panels: readonly PanelTab[];
  readonly layout: Layout;
  readonly active: string;
  readonly style: CSSProperties;
  readonly canSplit: boolean;
  onChoose(id: string): void;
  onClose(id: string): void;
  /** Another layout; the focus goes to the tab. */
  onPlace(layout: Layout, id: string): void;
  onDrag(id: string | undefined): void;
}

const sides: readonly Side[] = ['left', 'right', 'top', 'bottom'];

/** The tabs of one stack, to choose, drag and close, and a menu that moves the one on top. */
export function PanelTabs(props: PanelTabsProps) {
  const { panels, layout, active, style, canSplit, onChoose, onClose, onPlace, onDrag } = props;
  const { t } = useTranslation();
  const [hasMenu, setMenu] = useState(false);
  const ids = panels.map(({ id }) => id);
  const at = ids.indexOf(active);
  const stacks = stacksOf(layout);
  const own = stacks.findIndex(({ tabs }) => tabs.includes(active));
  const shown = panels[at];
  const move = (event: KeyboardEvent, id: string) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: ids.length - 1 }[event.key];
    const target = next === undefined ? undefined : ids.at(next % ids.length);
    if (event.key === 'Delete') onClose(id);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) setMenu(true);
    else if (target === undefined) return;
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else {
      onChoose(target);
      const strip = event.currentTarget.parentElement?.parentElement;
      strip?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(target)}"]`)?.focus();
    }
    event.preventDefault();
  };
  const isAlone = ids.length === 1;
  const place = (next: Layout) => onPlace(next, active);
  /** To the stack before or behind this one. */
  const restack = (by: -1 | 1) => {
    const beside = stacks[own + by]?.active;
    if (beside !== undefined) place(stackTab(layout, active, beside));
  };
  return (
    <div className={styles.strip} style={style} data-strip={ids.join(' ')}>
      <div className={styles.tabs} role="tablist" aria-label={t('panels.choose')}>
        {panels.map(({ id, title, isDirty }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the tab inside and the menu have the keys.
          <span
            key={id}
            role="presentation"
            className={styles.tab}
            data-active={id === active || undefined}
            draggable={canSplit}
            onDragStart={(event) => {
              event.dataTransfer.setData(dragType, id);
              event.dataTransfer.effectAllowed = 'move';
              // A change of the page while the drag begins would end it.
              setTimeout(() => onDrag(id));
            }}
            onDragEnd={() => onDrag(undefined)}
            onAuxClick={(event) => event.button === 1 && onClose(id)}
            onContextMenu={(event) => {
              event.preventDefault();
              onChoose(id);
              setMenu(true);
            }}
          >
            <button
              type="button"
              role="tab"
              data-tab={id}
              aria-selected={id === active}
              tabIndex={id === active ? 0 : -1}
              onClick={() => onChoose(id)}
              onKeyDown={(event) => move(event, id)}
            >
              {title}
              {isDirty && <span className={styles.dirty} data-dirty title={t('panels.unsaved')} />}
            </button>
            <CloseButton
              size="xs"
              // For the pointer: keys close a tab with Delete or in the menu.
              tabIndex={-1}
              aria-hidden="true"
              title={t('panels.close', { title })}
              onClick={() => onClose(id)}
            />
          </span>
        ))}
      </div>
      {shown && canSplit && (
        <Menu opened={hasMenu} onChange={setMenu} position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon size={24} aria-label={t('panels.menu', { title: shown.title })}>
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {sides.map((side) => (
              <Menu.Item
                key={side}
                disabled={isAlone}
                onClick={() => place(splitTab(layout, active, active, side))}
              >
                {t(`panels.split.${side}`)}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item disabled={own <= 0} onClick={() => restack(-1)}>
              {t('panels.toPrevious')}
            </Menu.Item>
            <Menu.Item disabled={own === stacks.length - 1} onClick={() => restack(1)}>
              {t('panels.toNext')}
            </Menu.Item>
            <Menu.Item disabled={stacks.length === 1} onClick={() => place({ tabs: tabsOf(layout), active })}>
              {t('panels.stackAll')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => onClose(active)}>{t('panels.close', { title: shown.title })}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

/** Marks the drag of a panel, so that other drags are left alone. */
const dragType = 'application/x-millrace-panel';
