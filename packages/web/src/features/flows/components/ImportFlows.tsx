import { Button, FileButton } from '@mantine/core';
import { flowTransfer } from '@millrace/contract';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';

/** Takes flows in from a YAML file or a zip archive, and names those that could not be taken in. */
export function ImportFlows() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const taking = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.append('fileUpload', file);
      return call(flowTransfer.importFlows, { body });
    },
    onSuccess: async (refused) => {
      if (refused.length === 0) showSuccess(t('flowAction.imported'));
      else showWarning(refused.join(', '), t('flowAction.notImported'));
      await Promise.all(['flows', 'namespaces'].map((key) => client.invalidateQueries({ queryKey: [key] })));
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
