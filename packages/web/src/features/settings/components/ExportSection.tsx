import { Button } from '@mantine/core';
import { flowTransfer, templates } from '@millrace/contract';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/checkedDownload.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import { SettingsSection } from './SettingsSection.tsx';

/** Everything that was written here, to take along. */
export function ExportSection() {
  const { t } = useTranslation();
  const { isTemplateEnabled } = useConfiguration();
  return (
    <SettingsSection title={t('settings.export')} note={t('settings.exportNote')}>
      <Download
        href={urlOf(flowTransfer.exportFlowsByQuery, {})}
        file="flows.zip"
        label={t('settings.exportFlows')}
      />
      {isTemplateEnabled && (
        <Download
          href={urlOf(templates.exportTemplatesByQuery, {})}
          file="templates.zip"
          label={t('settings.exportTemplates')}
        />
      )}
    </SettingsSection>
  );
}

function Download({ href, file, label }: { href: string; file: string; label: string }) {
  return (
    <Button
      component="a"
      href={href}
      download={file}
      onClick={checkedDownload}
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.7} />}
      justify="flex-start"
    >
      {label}
    </Button>
  );
}
