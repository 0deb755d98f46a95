import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../i18n/useTranslation.ts';
import { reportProblem } from '../state/problems.ts';

/** Takes in a YAML file or a zip archive, sent under the name that every import reads. It says when that failed. */
export function ImportButton({ onImport }: { onImport: (upload: FormData) => Promise<void> }) {
  const { t } = useTranslation();
  const taking = useMutation({
    mutationFn: (file: File) => {
      const upload = new FormData();
      upload.append('fileUpload', file);
      return onImport(upload);
    },
    onError: (error) => reportProblem(error, t('flowAction.importFailed')),
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
