import { useEffect, useRef, useState } from 'react';

const pauseMs = 300;

/** A text while it is typed: told after a pause. The value outside wins when it changes by itself. */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What the outside knows, or will know in a moment. */
  const [told, setTold] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== value) {
    setSeen(value);
    // The answer to what was told is no change by itself: somebody may have typed on meanwhile.
    if (told !== value) {
      setTold(value);
      setTyped(value);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const tell = (next: string) => {
    clearTimeout(timer.current);
    setTold(next);
    if (next !== value) onChange(next);
  };
  return {
    typed,
    type: (next: string) => {
      setTyped(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => tell(next), pauseMs);
    },
    /** Without waiting for a pause. */
    apply: (next: string) => {
      setTyped(next);
      tell(next);
    },
  };
}
