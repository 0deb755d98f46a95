import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Page } from '../ui/Page.tsx';
import type { CoreError } from './coreError.ts';

/** Replaces the page when it cannot be shown. `route` tells a wrong address from a thing that is gone. */
export function ErrorPage({ code, route = false }: { code: CoreError; route?: boolean }) {
  const { t } = useTranslation();
  return (
    <Page title={t(`errorPage.${code}.title`)} canBookmark={false}>
      <EmptyState
        illustration={code === 404 ? 'dryRace' : 'closedGate'}
        title={t(`errorPage.${code}.title`)}
        text={t(code === 404 && route ? 'errorPage.404.route' : `errorPage.${code}.text`)}
        action={<LinkButton to="/{-$tenant}">{t('errorPage.back')}</LinkButton>}
      />
    </Page>
  );
}
