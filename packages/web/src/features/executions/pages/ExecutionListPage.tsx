import { useTranslation } from 'react-i18next';
import { EmptyState, LinkButton, Page } from '../../../ui/index.ts';
import { ExecutionList } from '../components/ExecutionList.tsx';

export function ExecutionListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.executions')}>
      <ExecutionList
        name="executions"
        empty={
          <EmptyState
            illustration="stillWater"
            title={t('execution.none')}
            text={t('execution.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows" search={{}}>
                {t('execution.chooseFlow')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}
