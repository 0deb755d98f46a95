import { ActionIcon, Input, NumberInput, Switch, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { fontSizes, settings } from '../../storage/settings.ts';
import { editorFonts } from '../../theme/editorFonts.ts';
import { Choice, SettingsSection } from './SettingsSection.tsx';
import styles from './ThemeSection.module.css';
import type { Draft } from './useDraft.ts';

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

interface ColorFieldProps {
  label: string;
  value: string;
  fallback: string | undefined;
  onChange: (value: string) => void;
}

const isPlain = (color: string): boolean => /^#[0-9a-f]{6}$/i.test(color);

/** A colour by the browser's own picker, or none. */
function ColorField({ label, value, fallback, onChange }: ColorFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const shown = [value, fallback ?? ''].find(isPlain) ?? '#2451d6';
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={styles.row}>
        <input
          id={id}
          type="color"
          className={styles.picker}
          value={shown}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <span className={styles.text}>{value || t('settings.noColor')}</span>
        {value && (
          <ActionIcon onClick={() => onChange('')} aria-label={t('settings.clearColor')}>
            <IconX size={15} stroke={1.8} />
          </ActionIcon>
        )}
      </div>
    </Input.Wrapper>
  );
}
