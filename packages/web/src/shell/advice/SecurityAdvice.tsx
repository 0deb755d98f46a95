import { lazy, Suspense, useEffect, useState } from 'react';
import { useConfiguration } from '../configuration.ts';
import { isAdviceDue, rememberStart } from './advice.ts';

const Dialog = lazy(() =>
  import('./SecurityAdviceDialog.tsx').then((module) => ({ default: module.SecurityAdviceDialog })),
);

/** Looked at once a start; the dialog loads only when it is due. */
export function SecurityAdvice() {
  const configuration = useConfiguration();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    rememberStart(Date.now());
    setOpen(isAdviceDue(configuration, Date.now()));
  }, [configuration]);
  if (!isOpen) return null;
  return (
    <Suspense>
      <Dialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
