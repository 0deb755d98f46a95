import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, LinkButton, Page } from '../../ui/index.ts';
import { TriggerList } from './TriggerList.tsx';

export function TriggerListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.triggers')}>
      <TriggerList
        name="triggers"
        empty={
          <EmptyState
            illustration="wheel"
            title={t('trigger.none')}
            text={t('trigger.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows" search={{}}>
                {t('trigger.toFlows')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}
