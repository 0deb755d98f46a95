import { useEffect, useState } from 'react';
import { scrollTo } from './scrollTo.ts';
import { stepDelayMs, type TourStep } from './steps.ts';

const lookEveryMs = 100;

/** The place of a step's target on the screen, as long as it is there. Pages load lazily, so it is looked for. */
export function useTarget(step: TourStep): DOMRect | undefined {
  const [found, setFound] = useState<{ step: TourStep; box: DOMRect }>();
  useEffect(() => {
    let stopScrolling = () => {};
    let seen: Element | undefined;
    const look = () => {
      const element = document.querySelector(step.target) ?? undefined;
      if (element && element !== seen) stopScrolling = scrollTo(element, step.durationMs);
      seen = element;
      const box = element?.getBoundingClientRect();
      setFound((old) => (box && isSame(old?.box, box) && old?.step === step ? old : box && { step, box }));
    };
    let timer: ReturnType<typeof setInterval>;
    const delay = setTimeout(() => {
      look();
      timer = setInterval(look, lookEveryMs);
    }, stepDelayMs);
    return () => {
      clearTimeout(delay);
      clearInterval(timer);
      stopScrolling();
    };
  }, [step]);
  return found?.step === step ? found.box : undefined;
}

const isSame = (a: DOMRect | undefined, b: DOMRect): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
