import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';

/** Downloads what is selected; a failure has been shown by the download itself. */
export function ExportButton({ onExport }: { onExport: () => Promise<unknown> }) {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} />}
      onClick={() => void onExport().catch(() => {})}
    >
      {t('flowAction.export')}
    </Button>
  );
}
