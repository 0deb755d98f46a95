import { lazy, Suspense } from 'react';
import { useConfiguration } from '../configuration.ts';

const Note = lazy(() =>
  import('./QuietStartNote.tsx').then((module) => ({ default: module.QuietStartNote })),
);

/** Loads only on a server that was started quietly and waits. */
export function QuietStart() {
  const { isQuietStart } = useConfiguration();
  if (!isQuietStart) return null;
  return (
    <Suspense>
      <Note />
    </Suspense>
  );
}
