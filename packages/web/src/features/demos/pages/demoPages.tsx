import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/index.ts';
import { Demo } from '../components/Demo.tsx';
import type { DemoName } from '../components/DemoPicture.tsx';

/** Pages of the Enterprise Edition: each tells what it would do, so that nobody searches for it in vain. */
const demoPage = (name: Exclude<DemoName, 'auditLogs'>) =>
  function DemoPage() {
    const { t } = useTranslation();
    return (
      <Page title={t(`nav.${name}`)}>
        <Demo name={name} />
      </Page>
    );
  };

export const AppsPage = demoPage('apps');
export const IamPage = demoPage('iam');
export const TenantsPage = demoPage('tenants');
export const InstancePage = demoPage('instance');
