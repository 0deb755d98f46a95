import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/index.ts';
import { AuditLogsPlaceholder } from '../components/AuditLogsPlaceholder.tsx';

export function AuditLogsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.auditLogs')}>
      <AuditLogsPlaceholder />
    </Page>
  );
}
