import { lazy, Suspense } from 'react';
import { useTour } from '../features/tour/index.ts';

const Tour = lazy(() => import('../features/tour/Tour.tsx').then((module) => ({ default: module.Tour })));

/** The tour loads when it starts; most visits never see it. */
export function TourHost() {
  const isRunning = useTour().index >= 0;
  if (!isRunning) return null;
  return (
    <Suspense>
      <Tour />
    </Suspense>
  );
}
