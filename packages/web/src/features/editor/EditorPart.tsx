import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Loading } from '../../ui/Loading.tsx';

interface EditorPartProps {
  readonly children: ReactNode;
  /** Shown while the part loads. */
  readonly fallback?: ReactNode;
  /** Stays in sight when the part cannot be shown. */
  readonly lead?: ReactNode;
}

/** A part of the editor that loads when it is opened. Without a connection it says so in its place; the text stays. */
export const EditorPart = ({ children, fallback = <Loading />, lead }: EditorPartProps) => (
  <ErrorBoundary lead={lead}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
);
