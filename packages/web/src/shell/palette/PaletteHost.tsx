import { getHotkeyHandler, useWindowEvent } from '@mantine/hooks';
import { useEffect } from 'react';
import { observable } from '../../state/observable.ts';
import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';

export const Palette = lazyPart(() => import('./Palette.tsx'), 'Palette', Nothing);

const onKeyDown = getHotkeyHandler([
  [
    'mod+K',
    (event) => {
      event.stopPropagation();
      togglePalette();
    },
  ],
]);

/** Keeps the palette at hand on every page, also while a page still loads. It loads when it is first wanted. */
export function PaletteHost() {
  const { isOpen, openings } = usePalette();
  // Before whatever has the focus: the code editor would take the key for the first of two.
  useWindowEvent('keydown', onKeyDown, { capture: true });
  useEffect(() => closePalette, []);
  if (openings === 0) return null;
  return <Palette opened={isOpen} openings={openings} onClose={closePalette} />;
}

/** Whether the palette is open, and how often it was opened: each time it begins empty. */
const state = observable({ isOpen: false, openings: 0 });

const usePalette = state.use;

export const openPalette = (): void => state.set({ isOpen: true, openings: state.get().openings + 1 });

const closePalette = (): void => state.set({ ...state.get(), isOpen: false });

const togglePalette = (): void => (state.get().isOpen ? closePalette() : openPalette());
