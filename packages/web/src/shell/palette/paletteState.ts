import { observable } from '../../state/observable.ts';

/** Whether the palette is open, and how often it was opened: each time it begins empty. */
const state = observable({ isOpen: false, openings: 0 });

export const usePalette = state.use;

export const openPalette = (): void => state.set({ isOpen: true, openings: state.get().openings + 1 });

export const closePalette = (): void => state.set({ ...state.get(), isOpen: false });

export const togglePalette = (): void => (state.get().isOpen ? closePalette() : openPalette());
