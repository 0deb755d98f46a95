import { ActionIcon, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { checkedDownload } from '../../api/download.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../Hint.tsx';

export interface ExportLinks {
  readonly csv: string;
  readonly json: string;
}

/** Downloads every row that the filters of a list find. The browser writes the file, so that it can be large. */
export function ExportMenu({ csv, json }: ExportLinks) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Hint label={t('export.label')}>
          <ActionIcon variant="default" size={34} aria-label={t('export.label')}>
            <IconDownload size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('export.all')}</Menu.Label>
        <Menu.Item component="a" href={csv} download onClick={checkedDownload}>
          {t('export.csv')}
        </Menu.Item>
        <Menu.Item component="a" href={json} download onClick={checkedDownload}>
          {t('export.json')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
