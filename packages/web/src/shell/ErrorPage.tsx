import { useTranslation } from '../i18n/useTranslation.ts';
import { useTenant } from '../routing/tenant.ts';
import { observable } from '../state/observable.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Page } from '../ui/page/Page.tsx';

/** Replaces the page when it cannot be shown. `route` tells a wrong address from a thing that is gone. */
export function ErrorPage({ code, route = false }: { code: CoreError; route?: boolean }) {
  const { t } = useTranslation();
  const tenant = useTenant();
  return (
    <Page title={t(`errorPage.${code}.title`)} canBookmark={false}>
      <EmptyState
        illustration={code === 404 ? 'dryRace' : 'closedGate'}
        title={t(`errorPage.${code}.title`)}
        text={t(code === 404 && route ? 'errorPage.404.route' : `errorPage.${code}.text`)}
        action={
          <LinkButton to="/{-$tenant}" params={{ tenant }}>
            {t('errorPage.back')}
          </LinkButton>
        }
      />
    </Page>
  );
}

type CoreError = 401 | 403 | 404;

/** The error that replaces the page until the next navigation. It is raised far from React, by failed calls. */
const current = observable<CoreError | undefined>(undefined);

export const setCoreError = current.set;
export const useCoreError = current.use;
