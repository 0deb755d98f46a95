import { useEffect, useEffectEvent } from 'react';
import type { TopologyView } from '../../topology/index.ts';
import { bodyOf } from '../edits/flowText.ts';
import type { MenuPlace, PartActions } from './PartMenu.tsx';
import { nodeAt, partOf } from './partAt.ts';

interface PartKeys {
  readonly view: TopologyView;
  readonly actions: PartActions;
  readonly isMoving: boolean;
  onCancel(): void;
  onMenu(place: MenuPlace): void;
}

/** The keys of a node, the double click and the context menu. */
export function usePartKeys({ view, actions, isMoving, onCancel, onMenu }: PartKeys): void {
  const { frame, graph } = view;
  const isInSheet = (event: Event) => event.target instanceof Element && event.target.closest('[data-sheet]');
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    if (!target || target.closest('input, textarea, [data-sheet]')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isMoving && event.key === 'Escape') return take(event, onCancel);
    if (isCommand && event.key.toLowerCase() === 'z')
      return take(event, event.shiftKey ? actions.redo : actions.undo);
    if (isCommand && event.key.toLowerCase() === 'y') return take(event, actions.redo);
    // Buttons on a node have their own keys.
    const node = target.matches('.react-flow__node') ? nodeAt(target, graph) : undefined;
    const part = partOf(node, graph);
    if (!node || !part) return;
    if (isCommand && event.key.toLowerCase() === 'd') return take(event, () => actions.duplicate(part));
    if (isCommand && event.key === '/') {
      const { disabled } = (node.task ?? node.triggerDeclaration) as { disabled?: unknown };
      return take(event, () => actions.setDisabled(part, disabled !== true));
    }
    if (event.altKey && event.key === 'ArrowUp') return take(event, () => actions.step(part, -1));
    if (event.altKey && event.key === 'ArrowDown') return take(event, () => actions.step(part, 1));
    if (isCommand || event.altKey) return;
    const body = bodyOf(node.task?.type ?? '');
    if (event.key === 'Enter') actions.open(part);
    else if (event.key === 'Delete' || event.key === 'Backspace') take(event, () => actions.remove(part));
    else if (event.key === 'a') take(event, () => actions.add({ at: 'after', part }));
    else if (event.key === 'A') take(event, () => actions.add({ at: 'before', part }));
    else if (event.key === 'i' && body)
      take(event, () => actions.add({ at: 'inside', id: part.id, branch: body }));
    else if (event.key === 'm' && part.kind === 'task') take(event, () => actions.move(part));
  });
  const open = useEffectEvent((event: MouseEvent) => {
    if (isInSheet(event)) return;
    const part = event.target instanceof Element ? partOf(nodeAt(event.target, graph), graph) : undefined;
    if (part) actions.open(part);
  });
  const showMenu = useEffectEvent((event: MouseEvent) => {
    const element = event.target instanceof Element ? event.target : undefined;
    if (isInSheet(event)) return;
    const node = nodeAt(element, graph);
    const part = partOf(node, graph);
    const box = frame.current?.getBoundingClientRect();
    if (!node || !part || !box) return;
    event.preventDefault();
    // A menu that was asked for by key has no pointer.
    const rect = (element?.querySelector('[data-header]') ?? element)?.getBoundingClientRect();
    const isByKey = event.clientX === 0 && event.clientY === 0;
    const x = isByKey ? (rect?.left ?? 0) + 24 : event.clientX;
    const y = isByKey ? (rect?.top ?? 0) + 24 : event.clientY;
    onMenu({ node, part, x: x - box.left, y: y - box.top });
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const keys = (event: KeyboardEvent) => press(event);
    const double = (event: MouseEvent) => open(event);
    const menu = (event: MouseEvent) => showMenu(event);
    element.addEventListener('keydown', keys);
    element.addEventListener('dblclick', double);
    element.addEventListener('contextmenu', menu);
    return () => {
      element.removeEventListener('keydown', keys);
      element.removeEventListener('dblclick', double);
      element.removeEventListener('contextmenu', menu);
    };
  }, [frame]);
}

/** The key belongs to the graph: neither the page nor the editor beside it uses it too. */
function take(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  act();
}
