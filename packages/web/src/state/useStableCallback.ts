import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The same function all the time, which does what the newest one does: a part that is given it need not be drawn again
 * because something around it was. For what people do, not for use while drawing.
 */
export function useStableCallback<Args extends unknown[]>(
  act: (...args: Args) => void,
): (...args: Args) => void {
  const newest = useRef(act);
  useLayoutEffect(() => {
    newest.current = act;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
