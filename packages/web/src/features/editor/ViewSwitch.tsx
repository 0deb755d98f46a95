import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EditorView } from './editorView.ts';

interface ViewSwitchProps {
  readonly view: EditorView;
  onChange(view: EditorView): void;
}

export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl<EditorView>
      size="xs"
      aria-label={t('noCode.view')}
      data={[
        { value: 'YAML', label: t('noCode.yaml') },
        { value: 'NO_CODE', label: t('noCode.noCode') },
      ]}
      value={view}
      onChange={onChange}
    />
  );
}
