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

/** Rows that change their places by dragging. Other lists on the page do not notice. */
export function useReorder(move: (from: number, to: number) => void): Reorder {
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
        event.dataTransfer.setData('text/plain', String(index));
        const row = event.currentTarget.closest('li');
        if (row) event.dataTransfer.setDragImage(row, 12, 12);
        setDragged(index);
      },
      onDragEnd: end,
    }),
    row: (index) => ({
      onDragOver: (event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        setTarget(index);
      },
      onDrop: (event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        move(dragged, index);
        end();
      },
    }),
  };
}
