import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../Hint.tsx';
import type { Column } from './column.ts';

export interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[];
  visibility: Record<string, boolean>;
  onToggle: (id: string) => void;
  onReset: () => void;
}

export function ColumnChooser({ columns, visibility, onToggle, onReset }: ColumnChooserProps<unknown>) {
  const { t } = useTranslation();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Hint label={t('table.columns')}>
          <ActionIcon variant="default" size={34} aria-label={t('table.columns')}>
            <IconColumns3 size={17} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter((column) => !column.identifies)
          .map((column) => (
            <Menu.CheckboxItem
              key={column.id}
              checked={visibility[column.id] ?? false}
              onChange={() => onToggle(column.id)}
            >
              {column.header}
            </Menu.CheckboxItem>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={onReset}>{t('table.resetColumns')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
