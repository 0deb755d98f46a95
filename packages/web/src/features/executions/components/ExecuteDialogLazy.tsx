import { lazy, Suspense } from 'react';
import type { ExecuteDialogProps } from './ExecuteDialog.tsx';

const Dialog = lazy(() =>
  import('./ExecuteDialog.tsx').then((module) => ({ default: module.ExecuteDialog })),
);

/** The dialog loads when it is first opened; the page behind it stays as it is meanwhile. */
export function ExecuteDialog(props: ExecuteDialogProps) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
