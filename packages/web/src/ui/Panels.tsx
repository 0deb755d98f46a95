import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconX } from '@tabler/icons-react';
import { type DragEvent, Fragment, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../storage/storage.ts';
import { Hint } from './Hint.tsx';
import styles from './Panels.module.css';

export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface PanelsProps {
  /** The name under which the open panels and their order are remembered. */
  name: string;
  panels: readonly Panel[];
  /** The panels that are open until the user chooses others. */
  initial: readonly string[];
}

/**
 * Parts of a page side by side, as many as wanted, in any order. Panels keep their place in React's list while they
 * move, so that an editor inside keeps its state.
 */
export function Panels({ name, panels, initial }: PanelsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => readStored(`panels:${name}`)?.split(',') ?? [...initial]);
  const [shares, setShares] = useState<Readonly<Record<string, number>>>({});
  const row = useRef<HTMLDivElement>(null);
  const shown = open.flatMap((id) => panels.find((panel) => panel.id === id) ?? []);
  const arrange = (ids: readonly string[]) => {
    setOpen([...ids]);
    writeStored(`panels:${name}`, ids.join(','));
  };
  const toggle = (id: string) =>
    arrange(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
  const move = (id: string, to: number) => {
    const rest = shown.map((panel) => panel.id).filter((one) => one !== id);
    arrange([...rest.slice(0, to), id, ...rest.slice(to)]);
  };
  const drop = (event: DragEvent, at: number) => {
    const id = event.dataTransfer.getData(dragType);
    if (!id) return;
    event.preventDefault();
    move(id, at);
  };
  const resize = (event: PointerEvent, left: Panel, right: Panel) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !row.current) return;
    const total = shown.reduce((sum, { id }) => sum + (shares[id] ?? 1), 0);
    const by = (event.movementX / row.current.clientWidth) * total;
    const [a, b] = [(shares[left.id] ?? 1) + by, (shares[right.id] ?? 1) - by];
    if (a > smallest && b > smallest) setShares({ ...shares, [left.id]: a, [right.id]: b });
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
            onClick={() => toggle(id)}
          >
            {title}
          </Button>
        ))}
      </div>
      <div className={styles.row} ref={row}>
        {shown.length === 0 && <p className={styles.none}>{t('panels.none')}</p>}
        {shown.map((panel, at) => {
          const before = shown[at - 1];
          return (
            <Fragment key={panel.id}>
              {before && (
                <div
                  className={styles.divider}
                  aria-hidden="true"
                  onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
                  onPointerMove={(event) => resize(event, before, panel)}
                />
              )}
              <section
                className={styles.panel}
                style={{ flexGrow: shares[panel.id] ?? 1 }}
                aria-label={panel.title}
                onDragOver={(event) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
                onDrop={(event) => drop(event, at)}
              >
                {/* biome-ignore lint/a11y/noStaticElementInteractions: a wider way for the pointer; the arrows are the real controls. */}
                <header
                  className={styles.head}
                  draggable
                  onDragStart={(event) => event.dataTransfer.setData(dragType, panel.id)}
                >
                  <strong>{panel.title}</strong>
                  <PanelButton
                    label={t('panels.left', { title: panel.title })}
                    isOff={at === 0}
                    icon={IconArrowLeft}
                    onClick={() => move(panel.id, at - 1)}
                  />
                  <PanelButton
                    label={t('panels.right', { title: panel.title })}
                    isOff={at === shown.length - 1}
                    icon={IconArrowRight}
                    onClick={() => move(panel.id, at + 1)}
                  />
                  <PanelButton
                    label={t('panels.close', { title: panel.title })}
                    icon={IconX}
                    onClick={() => toggle(panel.id)}
                  />
                </header>
                <div className={styles.content}>{panel.content}</div>
              </section>
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

const dragType = 'application/x-millrace-panel';
/** Of an equal share: what is narrower shows nothing any more. */
const smallest = 0.3;

interface PanelButtonProps {
  label: string;
  icon: typeof IconX;
  isOff?: boolean;
  onClick: () => void;
}

function PanelButton({ label, icon: Icon, isOff = false, onClick }: PanelButtonProps) {
  return (
    <Hint label={label}>
      <ActionIcon size={24} aria-label={label} disabled={isOff} onClick={onClick}>
        <Icon size={14} />
      </ActionIcon>
    </Hint>
  );
}
