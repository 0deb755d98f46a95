import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { fontSizes, settings } from '../../../storage/settings.ts';
import { editorFonts } from '../../../theme/editorFonts.ts';
import type { Draft } from '../useDraft.ts';
import { Choice } from './Choice.tsx';
import { ColorField } from './ColorField.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** How things look. */
export function ThemeSection({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  const { environment } = useConfiguration();
  const { values, set } = draft;
  const setSize = (name: 'editorFontSize' | 'logsFontSize') => (value: number | string) => {
    if (typeof value === 'number') set(name, Math.min(fontSizes.max, Math.max(fontSizes.min, value)));
  };
  return (
    <SettingsSection title={t('settings.look')}>
      <Choice
        label={t('settings.theme')}
        options={settings.theme.values}
        name={(theme) => t(`settings.themes.${theme}`)}
        value={values.theme}
        onChange={(value) => set('theme', value)}
      />
      <Choice
        label={t('settings.chartScheme')}
        options={settings.chartScheme.values}
        name={(scheme) => t(`settings.schemes.${scheme}`)}
        value={values.chartScheme}
        onChange={(value) => set('chartScheme', value)}
      />
      <Choice
        label={t('settings.editorTheme')}
        options={settings.editorTheme.values}
        name={(theme) => t(`settings.editorThemes.${theme}`)}
        value={values.editorTheme}
        onChange={(value) => set('editorTheme', value)}
      />
      <Choice
        label={t('settings.editorFontFamily')}
        options={editorFonts}
        name={(font) => font}
        value={editorFonts.find((font) => font === values.editorFontFamily) ?? editorFonts[0]}
        onChange={(value) => set('editorFontFamily', value === editorFonts[0] ? '' : value)}
      />
      <NumberInput
        label={t('settings.editorFontSize')}
        min={fontSizes.min}
        max={fontSizes.max}
        clampBehavior="strict"
        value={values.editorFontSize}
        onChange={setSize('editorFontSize')}
      />
      <NumberInput
        label={t('settings.logsFontSize')}
        min={fontSizes.min}
        max={fontSizes.max}
        clampBehavior="strict"
        value={values.logsFontSize}
        onChange={setSize('logsFontSize')}
      />
      <TextInput
        label={t('settings.environmentName')}
        placeholder={environment?.name ?? t('settings.noEnvironment')}
        value={values.environmentName}
        onChange={(event) => set('environmentName', event.currentTarget.value)}
      />
      <ColorField
        label={t('settings.environmentColor')}
        value={values.environmentColor}
        fallback={environment?.color}
        onChange={(value) => set('environmentColor', value)}
      />
      <Switch
        label={t('settings.autoFold')}
        checked={values.autoFold}
        onChange={(event) => set('autoFold', event.currentTarget.checked)}
      />
    </SettingsSection>
  );
}
