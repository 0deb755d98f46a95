import { Button, Group } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { retryFailedParts } from './lazyPart.tsx';
import { EmptyState } from './page/EmptyState.tsx';

/** Shows nothing instead of a part that the page is complete without. */
export class OptionalPart extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentWillUnmount() {
    if (this.state.isBroken) retryFailedParts();
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}

interface Props {
  children: ReactNode;
  /** A change of this value gives the content another chance, such as the address of the page. */
  resetKey?: string;
  /** Stays in sight above the message. */
  lead?: ReactNode;
}

/** Catches what breaks while rendering, so that the rest of the app stays usable. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(previous: Props) {
    if (this.state.error && previous.resetKey !== this.props.resetKey) this.#retry();
  }

  #retry() {
    retryFailedParts();
    this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <>
        {this.props.lead}
        <BrokenPart error={error} onRetry={() => this.#retry()} />
      </>
    );
  }
}

export function BrokenPart({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  if (isLoadFailure(error))
    return (
      <EmptyState
        illustration="closedGate"
        title={t('error.notLoaded')}
        text={t('error.notLoadedText')}
        detail={error.message}
        action={
          <Group gap={8}>
            <Button onClick={onRetry}>{t('action.retry')}</Button>
            <Button variant="default" onClick={() => location.reload()}>
              {t('error.reload')}
            </Button>
          </Group>
        }
      />
    );
  return (
    <EmptyState
      illustration="closedGate"
      title={t('error.broken')}
      text={t('error.brokenText')}
      detail={error.message}
      action={<Button onClick={onRetry}>{t('action.retry')}</Button>}
    />
  );
}

/** A module of the app did not arrive: there is no connection, or the server has another build now. */
const isLoadFailure = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module script|preload CSS/i.test(message);

/** A file that could not be read. Where there is none, the server's words say so, or ours when it has none. */
export function BrokenFile({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status !== 404)
    return <BrokenPart error={error} onRetry={onRetry} />;
  const title = error.body === undefined ? t('file.notFound') : error.message;
  return <EmptyState illustration="closedGate" title={title} />;
}
