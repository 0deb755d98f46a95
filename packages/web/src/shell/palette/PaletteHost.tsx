import { getHotkeyHandler, useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { closePalette, togglePalette, usePalette } from './paletteState.ts';

export const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

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
  return (
    <Suspense>
      <Palette opened={isOpen} openings={openings} onClose={closePalette} />
    </Suspense>
  );
}
