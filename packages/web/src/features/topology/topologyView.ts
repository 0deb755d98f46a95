import type { FlowGraph } from '@millrace/contract';
import { createContext, type RefObject, use } from 'react';
import type { GraphLayout, Orientation } from './layout/layout.ts';

/** What the parts of a graph share: the picture and the way to a node in it. */
export interface TopologyView {
  readonly graph: FlowGraph;
  readonly layout: GraphLayout;
  readonly orientation: Orientation;
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Brings a node into view and gives it the keyboard focus. */
  focus(uid: string): void;
}

export const TopologyContext = createContext<TopologyView | undefined>(undefined);

export function useTopology(): TopologyView {
  const view = use(TopologyContext);
  if (!view) throw new Error('A part of a graph is outside of a Topology.');
  return view;
}
