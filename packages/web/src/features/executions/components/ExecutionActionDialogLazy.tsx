import { lazy, Suspense } from 'react';
import type { ExecutionActionDialogProps } from './ExecutionActionDialog.tsx';

const Dialog = lazy(() =>
  import('./ExecutionActionDialog.tsx').then((module) => ({ default: module.ExecutionActionDialog })),
);

/** The dialogs load when the first is opened; the page behind stays as it is meanwhile. */
export function ExecutionActionDialog(props: ExecutionActionDialogProps) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
