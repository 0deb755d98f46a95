import { useEffect, useState } from 'react';
import { afterPaint } from '../../ui/afterPaint.ts';

/** Whether the first picture is there: the overview of a thousand nodes costs as much as what it is an overview of. */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void afterPaint().then(() => isWanted && setPainted(true));
    return () => {
      isWanted = false;
    };
  }, []);
  return isPainted;
}
