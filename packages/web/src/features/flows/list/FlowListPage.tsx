import { IconListSearch, IconPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LinkButton, Page } from '../../../ui/index.ts';
import { ImportFlows } from './ImportFlows.tsx';
import { FlowList } from './index.ts';

export function FlowListPage() {
  const { t } = useTranslation();
  const { namespace } = useSearch({ from: '/{-$tenant}/flows' });
  return (
    <Page
      title={t('nav.flows')}
      actions={
        <>
          <ImportFlows />
          <LinkButton
            to="/{-$tenant}/flows/search"
            search={{ namespace }}
            variant="default"
            leftSection={<IconListSearch size={16} />}
          >
            {t('flowSearch.link')}
          </LinkButton>
          <LinkButton to="/{-$tenant}/flows/new" search={{ namespace }} leftSection={<IconPlus size={16} />}>
            {t('flow.create')}
          </LinkButton>
        </>
      }
    >
      <FlowList
        name="flows"
        empty={
          <EmptyState
            illustration="wheel"
            title={t('flow.none')}
            text={t('flow.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows/new" search={{}}>
                {t('flow.createFirst')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}
