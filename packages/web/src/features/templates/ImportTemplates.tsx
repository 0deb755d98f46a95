import { templates } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ImportButton } from '../../ui/ImportButton.tsx';

export function ImportTemplates() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <ImportButton
      onImport={async (body) => {
        await call(templates.importTemplates, { body, failures: 'handled' });
        showSuccess(t('template.imported'));
        await client.invalidateQueries({ queryKey: ['templates'] });
      }}
    />
  );
}
