import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FullscreenStep } from './FullscreenStep.tsx';
import { HighlightStep } from './HighlightStep.tsx';
import { steps, useTourMoves } from './steps.ts';
import { stopTour, useTour } from './tourState.ts';

/** Whatever step of the tour is on. */
export function Tour() {
  const { index } = useTour();
  const router = useRouter();
  const moves = useTourMoves();
  const isPointing = index >= 2;

  // Going back in the browser leaves the path of the tour.
  useEffect(() => router.history.subscribe(({ action }) => action.type === 'BACK' && stopTour()), [router]);

  useEffect(() => {
    if (!isPointing) return;
    const { dataset } = document.documentElement;
    dataset.scroll = 'locked';
    return () => {
      delete dataset.scroll;
    };
  }, [isPointing]);

  const step = steps[index];
  if (step) return <HighlightStep key={index} step={step} index={index} moves={moves} />;
  return <FullscreenStep index={index} moves={moves} />;
}
