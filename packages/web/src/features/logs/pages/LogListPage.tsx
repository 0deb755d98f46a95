import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/index.ts';
import { LogSearch } from '../LogSearch.tsx';

export function LogListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.logs')}>
      <LogSearch name="logs" />
    </Page>
  );
}
