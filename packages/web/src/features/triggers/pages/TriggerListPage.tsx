import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/index.ts';
import { TriggerList } from '../components/TriggerList.tsx';

export function TriggerListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.triggers')}>
      <TriggerList />
    </Page>
  );
}
