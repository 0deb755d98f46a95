import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { closePalette, togglePalette, usePalette } from './paletteState.ts';

export const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

/** Keeps the palette at hand on every page, also while a page still loads. It loads when it is first wanted. */
export function PaletteHost() {
  const { isOpen, openings } = usePalette();
  useHotkeys([['mod+K', togglePalette]], []);
  useEffect(() => closePalette, []);
  if (openings === 0) return null;
  return (
    <Suspense>
      <Palette opened={isOpen} openings={openings} onClose={closePalette} />
    </Suspense>
  );
}
