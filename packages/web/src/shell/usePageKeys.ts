import { getHotkeyHandler, type HotkeyItem } from '@mantine/hooks';
import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Shortcuts of a page that work from its first frame to its last. `useHotkeys` begins after the frame and ends after
 * the next page is there: a key in between was lost.
 */
export function usePageKeys(keys: HotkeyItem[]): void {
  const handle = useEffectEvent((event: KeyboardEvent) => getHotkeyHandler(keys)(event));
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
