import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/ApiError.ts';
import { EmptyState } from './EmptyState.tsx';
import { BrokenPart } from './ErrorBoundary.tsx';

/** A file that could not be read. Where there is none, the server's words say so, or ours when it has none. */
export function BrokenFile({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status !== 404)
    return <BrokenPart error={error} onRetry={onRetry} />;
  const title = error.body === undefined ? t('file.notFound') : error.message;
  return <EmptyState illustration="closedGate" title={title} />;
}
