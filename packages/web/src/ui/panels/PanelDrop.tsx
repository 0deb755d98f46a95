import { type DragEvent, type RefObject, useState } from 'react';
import { type Area, type Layout, placesOf, type Side, type Stack, splitTab, stackTab } from './layout.ts';
import styles from './Panels.module.css';

interface PanelDropProps {
  readonly dragged: string;
  readonly layout: Layout;
  readonly frame: RefObject<HTMLDivElement | null>;
  onDrop(layout: Layout): void;
}

interface Target {
  readonly area: Area;
  readonly next: Layout;
}

/** The part of a stack, from each of its sides, that makes a new stack there. */
const edge = 0.25;

/**
 * Covers the panels while a tab is dragged and shows where it would go: to an edge of a stack, among its tabs, or on
 * top of it. The cover keeps editors from taking the drag.
 */
export function PanelDrop({ dragged, layout, frame, onDrop }: PanelDropProps) {
  const [target, setTarget] = useState<Target>();
  const find = (event: DragEvent): Target | undefined => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return undefined;
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    const found = placesOf(layout).stacks.find(
      ({ area }) =>
        x >= area.left && x <= area.left + area.width && y >= area.top && y <= area.top + area.height,
    );
    if (!found) return undefined;
    const { stack, area } = found;
    const index = tabIndexAt(frame.current, stack, event);
    if (index !== undefined) return { area, next: stackTab(layout, dragged, stack.active, index) };
    const side = sideAt((x - area.left) / area.width, (y - area.top) / area.height);
    if (side === undefined) return { area, next: stackTab(layout, dragged, stack.active) };
    const isAlone = stack.tabs.length === 1 && stack.tabs[0] === dragged;
    return { area: isAlone ? area : half(area, side), next: splitTab(layout, dragged, stack.active, side) };
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer only; the menu of a stack does the same with keys.
    <div
      className={styles.cover}
      data-panel-drop
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setTarget(find(event));
      }}
      onDragLeave={() => setTarget(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(find(event)?.next ?? layout);
      }}
    >
      {target && <div className={styles.target} style={toStyle(target.area)} />}
    </div>
  );
}

/** The place among the tabs of a stack; undefined outside of them. */
function tabIndexAt(frame: HTMLElement | null, stack: Stack, event: DragEvent): number | undefined {
  const strip = frame?.querySelector(`[data-strip="${CSS.escape(stack.tabs.join(' '))}"]`);
  if (!strip || event.clientY > strip.getBoundingClientRect().bottom) return undefined;
  const middles = [...strip.querySelectorAll('[data-tab]')].map((tab) => {
    const { left, width } = tab.getBoundingClientRect();
    return left + width / 2;
  });
  return middles.filter((middle) => middle < event.clientX).length;
}

function sideAt(x: number, y: number): Side | undefined {
  const distances: [Side, number][] = [
    ['left', x],
    ['right', 1 - x],
    ['top', y],
    ['bottom', 1 - y],
  ];
  const nearest = distances.toSorted((a, b) => a[1] - b[1])[0];
  return nearest && nearest[1] < edge ? nearest[0] : undefined;
}

function half(area: Area, side: Side): Area {
  const { left, top, width, height } = area;
  if (side === 'left' || side === 'right')
    return { ...area, left: side === 'left' ? left : left + width / 2, width: width / 2 };
  return { ...area, top: side === 'top' ? top : top + height / 2, height: height / 2 };
}

const toStyle = ({ left, top, width, height }: Area) => ({
  left: `${left * 100}%`,
  top: `${top * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});
