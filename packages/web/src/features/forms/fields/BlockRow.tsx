import { ActionIcon, UnstyledButton } from '@mantine/core';
import { formatPath, type Path } from '@millrace/engine';
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconTrash,
} from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { PluginIcon } from '../../topology/index.ts';
import { useForm } from '../FormHost.ts';
import { checkValue } from '../schema/check.ts';
import { fieldOf, type Items } from '../schema/field.ts';
import { propertiesOf } from '../schema/properties.ts';
import { typeSchema } from '../schema/schema.ts';
import { isMap, valueAt } from '../source/edit.ts';
import styles from './fields.module.css';

interface BlockRowProps {
  readonly items: Items;
  readonly element: unknown;
  readonly path: Path;
  readonly index: number;
  readonly count: number;
  readonly isReadOnly: boolean;
  readonly reorder: Reorder;
  onMove(to: number): void;
  onDuplicate(): void;
  onRemove(): void;
}

/** One thing in a list: what it is, what is wrong with it, and what can be done with the whole of it. */
export function BlockRow(props: BlockRowProps) {
  const { items, element, path, index, count, isReadOnly, reorder, onMove, onDuplicate, onRemove } = props;
  const { t } = useTranslation();
  const { open } = useForm();
  const inner = items.inside === undefined ? element : valueAt(element, [items.inside]);
  const place = items.inside === undefined ? path : [...path, items.inside];
  const { title, type } = nameOf(inner, index);
  const problem = useProblem(items, inner, place);
  return (
    <li
      className={styles.block}
      data-target={reorder.target === index || undefined}
      data-dragged={reorder.dragged === index || undefined}
      {...reorder.row(index)}
    >
      {!isReadOnly && (
        <span className={styles.grip} aria-hidden="true" {...reorder.handle(index)}>
          <IconGripVertical size={15} />
        </span>
      )}
      <UnstyledButton
        className={styles.blockName ?? ''}
        data-place={formatPath(path)}
        aria-label={t('form.open', { name: title })}
        aria-description={problem ?? type}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={() => open(place)}
        onKeyDown={(event) => {
          if (!event.altKey || isReadOnly) return;
          if (event.key === 'ArrowUp') onMove(index - 1);
          else if (event.key === 'ArrowDown') onMove(index + 1);
          else return;
          event.preventDefault();
        }}
      >
        <PluginIcon type={type ?? ''} size={22} />
        <span className={styles.blockTitle}>{title}</span>
        {type !== undefined && type !== title && <span className={styles.blockType}>{type}</span>}
        {problem !== undefined && (
          <span className={styles.blockProblem}>
            <IconAlertCircle size={14} aria-hidden />
            {problem}
          </span>
        )}
      </UnstyledButton>
      {!isReadOnly && (
        <span className={styles.rowTools}>
          <ActionIcon
            aria-label={t('form.up', { name: title })}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          >
            <IconArrowUp size={15} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('form.down', { name: title })}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          >
            <IconArrowDown size={15} />
          </ActionIcon>
          <Hint label={t('form.duplicateOne')}>
            <ActionIcon aria-label={t('form.duplicate', { name: title })} onClick={onDuplicate}>
              <IconCopy size={15} />
            </ActionIcon>
          </Hint>
          <Hint label={t('action.delete')}>
            <ActionIcon aria-label={t('form.remove', { name: title })} onClick={onRemove}>
              <IconTrash size={15} />
            </ActionIcon>
          </Hint>
        </span>
      )}
    </li>
  );
}

/** The id where there is one, or the type, or the place in the list. In a Dag it is that of the task inside. */
export function nameOf(element: unknown, index: number): { title: string; type: string | undefined } {
  const inner = valueAt(element, ['task']);
  const named = isMap(inner) ? inner : element;
  const { id, type } = isMap(named) ? named : {};
  const shownType = typeof type === 'string' && type !== '' ? type : undefined;
  return {
    title: typeof id === 'string' && id !== '' ? id : (shownType ?? `#${index + 1}`),
    type: shownType,
  };
}

/** The first problem inside, so that users need not open every row to find it. */
function useProblem(items: Items, element: unknown, path: Path): string | undefined {
  const { t } = useTranslation();
  const { definitions, findingAt } = useForm();
  const type = isMap(element) ? element.type : undefined;
  if (items.place && (typeof type !== 'string' || type === ''))
    return t('form.fieldRequired', { field: 'type' });
  const schema = items.place ? typeSchema(definitions, items.place, type) : items.schema;
  for (const { name, schema: own, isRequired } of schema ? propertiesOf(definitions, schema) : []) {
    const field = fieldOf(definitions, own, { name, ...(schema && { parent: schema }) });
    const problem = checkValue(field, valueAt(element, [name]), isRequired);
    if (problem)
      return t(problem.kind === 'required' ? 'form.fieldRequired' : 'form.invalidField', { field: name });
  }
  return findingAt(path)?.message;
}

interface Reorder {
  /** Where the dragged row would land, while one is dragged. */
  readonly target: number | undefined;
  readonly dragged: number | undefined;
  /** For the handle that is dragged. */
  handle(index: number): {
    draggable: true;
    onDragStart(event: DragEvent): void;
    onDragEnd(): void;
  };
  /** For the row that is dragged over. */
  row(index: number): { onDragOver(event: DragEvent): void; onDrop(event: DragEvent): void };
}

/** What a dragged row carries, so that another list knows it for one. */
const dragType = 'application/x-millrace-block';

/** Rows that change their places by dragging, inside their own list only: what comes from another is refused. */
export function useReorder(move: (from: number, to: number) => void, refuse?: () => void): Reorder {
  const [dragged, setDragged] = useState<number>();
  const [target, setTarget] = useState<number>();
  const end = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  return {
    target,
    dragged,
    handle: (index) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData(dragType, String(index));
        const row = event.currentTarget.closest('li');
        if (row) event.dataTransfer.setDragImage(row, 12, 12);
        setDragged(index);
      },
      onDragEnd: end,
    }),
    row: (index) => ({
      onDragOver: (event) => {
        if (dragged === undefined && !event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        if (dragged !== undefined) setTarget(index);
      },
      onDrop: (event) => {
        if (dragged === undefined && !event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        if (dragged === undefined) refuse?.();
        else move(dragged, index);
        end();
      },
    }),
  };
}
