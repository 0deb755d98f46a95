import { useState } from 'react';
import { readStored, type StorageKey, useStored, writeStored } from '../../storage/storage.ts';
import { activate, addTab, type Layout, readLayout, tabsOf } from './layout.ts';

export interface PanelLayout {
  readonly layout: Layout;
  readonly isChanged: boolean;
  arrange(layout: Layout): void;
  /** Opens a panel, or brings its tab to the front. */
  show(id: string): void;
  reset(): void;
}

interface Options {
  /** The name under which the layout is remembered. */
  readonly name: string;
  readonly panels: readonly string[];
  readonly initial: Layout;
  /** Panels that open at the left of the others. */
  readonly atLeft?: readonly string[] | undefined;
}

/** The layout of panels: as it was left under this name, otherwise the initial one. */
export function usePanelLayout({ name, panels, initial, atLeft = [] }: Options): PanelLayout {
  const key: StorageKey = `panels:${name}`;
  // Where the browser stores nothing, the layout lasts for this visit.
  const [visit, setVisit] = useState<Readonly<Record<string, string | undefined>>>({});
  const stored = useStored(key) ?? visit[name];
  const [start] = useState(initial);
  const layout = readLayout(stored, panels) ?? start;
  const keep = (text: string | undefined) => {
    setVisit({ ...visit, [name]: text });
    writeStored(key, text);
  };
  const arrange = (next: Layout) => keep(JSON.stringify(next));
  return {
    layout,
    isChanged: stored !== undefined,
    arrange,
    show: (id) => {
      // Several changes of one event build on each other.
      const latest = readLayout(readStored(key), panels) ?? layout;
      const isOpen = tabsOf(latest).includes(id);
      arrange(isOpen ? activate(latest, id) : addTab(latest, id, atLeft.includes(id) ? 'left' : 'right'));
    },
    reset: () => keep(undefined),
  };
}
