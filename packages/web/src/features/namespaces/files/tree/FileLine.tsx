import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots, IconFile } from '@tabler/icons-react';
import { type DragEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/useTranslation.ts';
import styles from './FileTree.module.css';
import type { FileRow } from './fileRows.ts';

interface FileLineProps {
  readonly row: FileRow;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isFocus: boolean;
  /** It takes what is dragged, or is in the folder that does. */
  readonly isTarget: boolean;
  readonly isRenamed: boolean;
  readonly canDrag: boolean;
  taken(name: string): boolean;
  readonly drag: { onDragStart(event: DragEvent): void; onDragEnd(): void };
  onClick(event: MouseEvent): void;
  onMenu(x: number, y: number): void;
  /** Without a name the old one stays. */
  onRename(name: string | undefined): void;
}

const longPressMs = 500;
/** A finger that rests moves a little. */
const restsWithinPx = 10;

export function FileLine(props: FileLineProps) {
  const { row, isActive, isSelected, isFocus, isTarget, isRenamed, canDrag, drag, onClick, onMenu } = props;
  const { t } = useTranslation();
  const isFolder = row.type === 'Directory';
  const Icon = isFolder ? (row.isOpen ? IconChevronDown : IconChevronRight) : IconFile;
  const press = useLongPress(onMenu);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its rows.
    <div
      role="treeitem"
      data-path={row.path}
      aria-level={row.level}
      aria-setsize={row.count}
      aria-posinset={row.place}
      aria-selected={isSelected}
      aria-expanded={isFolder ? row.isOpen : undefined}
      aria-label={row.name}
      tabIndex={isFocus ? 0 : -1}
      className={styles.row}
      style={{ paddingInlineStart: 6 + (row.level - 1) * 14 }}
      data-active={isActive || undefined}
      data-target={isTarget || undefined}
      draggable={canDrag}
      {...drag}
      {...press.props}
      onClick={(event) => {
        if (isRenamed || press.wasLong()) return;
        onClick(event);
      }}
    >
      <Icon size={15} stroke={1.7} aria-hidden="true" />
      {isRenamed ? (
        <NameInput row={row} taken={props.taken} onDone={props.onRename} />
      ) : (
        <>
          <span className={styles.name}>{row.name}</span>
          <ActionIcon
            className={styles.dots}
            size={22}
            tabIndex={-1}
            aria-label={t('file.more', { name: row.name })}
            onClick={(event) => {
              event.stopPropagation();
              const { left, bottom } = event.currentTarget.getBoundingClientRect();
              onMenu(left, bottom);
            }}
          >
            <IconDots size={14} />
          </ActionIcon>
        </>
      )}
    </div>
  );
}

interface NameInputProps {
  readonly row: FileRow;
  taken(name: string): boolean;
  onDone(name: string | undefined): void;
}

/** The name of a row while it is changed: Enter and leaving the field keep it, Escape does not. */
function NameInput({ row, taken, onDone }: NameInputProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(row.name);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const dot = row.name.lastIndexOf('.');
    input.current?.focus();
    input.current?.setSelectionRange(0, dot > 0 && row.type === 'File' ? dot : row.name.length);
  }, [row]);
  const text = name.trim();
  const problem =
    text !== row.name && taken(text) ? t('file.taken') : text.includes('/') ? t('file.noSlash') : undefined;
  const finish = (isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    onDone(isKept && text !== '' && text !== row.name && !problem ? text : undefined);
  };
  return (
    <TextInput
      ref={input}
      size="xs"
      className={styles.rename}
      aria-label={t('file.name')}
      value={name}
      error={problem}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') finish(false);
        if (event.key === 'Enter' && !problem) finish(true);
      }}
    />
  );
}

/** A finger that rests on a row opens its menu; the click that follows is not one. */
function useLongPress(onLong: (x: number, y: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isLong = useRef(false);
  const start = useRef({ x: 0, y: 0 });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    wasLong: () => isLong.current,
    props: {
      onPointerDown: (event: PointerEvent) => {
        isLong.current = false;
        if (event.pointerType !== 'touch') return;
        const { clientX, clientY } = event;
        start.current = { x: clientX, y: clientY };
        stop();
        timer.current = setTimeout(() => {
          isLong.current = true;
          onLong(clientX, clientY);
        }, longPressMs);
      },
      onPointerUp: stop,
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = start.current;
        if (Math.hypot(clientX - x, clientY - y) > restsWithinPx) stop();
      },
      onPointerCancel: stop,
    },
  };
}
