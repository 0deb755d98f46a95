import { Button, FileButton } from '@mantine/core';
import { templates } from '@millrace/contract';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { showSuccess } from '../../shell/toasts.ts';

export function ImportTemplates() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const taking = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.append('fileUpload', file);
      return call(templates.importTemplates, { body });
    },
    onSuccess: async () => {
      showSuccess(t('template.imported'));
      await client.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  return (
    <FileButton accept=".yaml,.yml,.zip" onChange={(file) => file && taking.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconUpload size={16} />}
          loading={taking.isPending}
        >
          {t('flowAction.import')}
        </Button>
      )}
    </FileButton>
  );
}
