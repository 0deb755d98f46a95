import { type DragEvent, useState } from 'react';

export interface Reorder {
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
