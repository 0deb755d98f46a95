import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { Page } from '../../../ui/index.ts';
import { SecretList } from '../components/SecretList.tsx';

export function SecretListPage() {
  const { t } = useTranslation();
  const { systemNamespace } = useConfiguration();
  return (
    <Page title={t('nav.secrets')}>
      <SecretList namespace={systemNamespace} />
    </Page>
  );
}
