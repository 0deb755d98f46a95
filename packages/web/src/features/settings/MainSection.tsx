import { Select, Switch } from '@mantine/core';
import { flows } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { settings } from '../../storage/settings.ts';
import { Choice, closedIsAbsent, SettingsSection } from './SettingsSection.tsx';
import type { Draft } from './useDraft.ts';

/** What pages start from. */
export function MainSection({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  const { values, set } = draft;
  const { data: namespaces = [] } = useQuery({
    queryKey: ['namespaces', currentTenant()],
    queryFn: ({ signal }) => call(flows.listNamespaces, { signal }),
  });
  const known = new Set([...namespaces, ...(values.defaultNamespace ? [values.defaultNamespace] : [])]);
  return (
    <SettingsSection title={t('settings.main')} note={t('settings.mainNote')}>
      <Select
        label={t('settings.defaultNamespace')}
        data={[...known]}
        value={values.defaultNamespace || null}
        onChange={(value) => set('defaultNamespace', value ?? '')}
        placeholder={t('settings.noNamespace')}
        comboboxProps={closedIsAbsent}
        searchable
        clearable
      />
      <Choice
        label={t('settings.defaultLogLevel')}
        options={settings.defaultLogLevel.values}
        name={(level) => level}
        value={values.defaultLogLevel}
        onChange={(value) => set('defaultLogLevel', value)}
      />
      <Choice
        label={t('settings.logDisplay')}
        options={settings.logDisplay.values}
        name={(display) => t(`settings.logDisplays.${display}`)}
        value={values.logDisplay}
        onChange={(value) => set('logDisplay', value)}
      />
      <Choice
        label={t('settings.editorType')}
        options={settings.editorType.values}
        name={(type) => t(`settings.editorTypes.${type}`)}
        value={values.editorType}
        onChange={(value) => set('editorType', value)}
      />
      <Choice
        label={t('settings.executeIn')}
        options={settings.executeIn.values}
        name={(place) => t(place === 'new tab' ? 'settings.newTab' : 'settings.sameTab')}
        value={values.executeIn}
        onChange={(value) => set('executeIn', value)}
      />
      <Choice
        label={t('settings.executionTab')}
        options={settings.executionTab.values}
        name={(tab) => t(`execution.tab.${tab}`)}
        value={values.executionTab}
        onChange={(value) => set('executionTab', value)}
      />
      <Choice
        label={t('settings.flowTab')}
        options={settings.flowTab.values}
        name={(tab) => t(`flow.tab.${tab}`)}
        value={values.flowTab}
        onChange={(value) => set('flowTab', value)}
      />
      <Switch
        label={t('settings.multiPanelEditor')}
        checked={values.multiPanelEditor}
        onChange={(event) => set('multiPanelEditor', event.currentTarget.checked)}
        mt={26}
      />
    </SettingsSection>
  );
}
