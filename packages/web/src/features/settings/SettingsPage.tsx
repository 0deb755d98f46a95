import { Button } from '@mantine/core';
import { flowTransfer, templates } from '@millrace/contract';
import { IconDownload, IconFileStack } from '@tabler/icons-react';
import { Suspense } from 'react';
import { urlOf } from '../../api/call.ts';
import { checkedDownload } from '../../api/download.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { LinkButton, Page } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { MainSection } from './MainSection.tsx';
import { RegionSection } from './RegionSection.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { ThemeSection } from './ThemeSection.tsx';
import { useDraft } from './useDraft.ts';

const TokensSection = lazyPart(() => import('./TokensSection.tsx'), 'TokensSection');

/** What this browser remembers about its user's taste. One button saves all of it, with effect at once. */
export function SettingsPage() {
  const { t } = useTranslation();
  const draft = useDraft();
  const { isBasicAuthEnabled } = useConfiguration();
  useUnsavedGuard(() => draft.isDirty, draft.reset);
  const save = async () => {
    await draft.save();
    showSuccess(t('settings.saved'));
  };
  return (
    <Page
      title={t('nav.settings')}
      actions={
        <Button onClick={() => void save()} disabled={!draft.isDirty}>
          {t('action.save')}
        </Button>
      }
    >
      <MainSection draft={draft} />
      <ThemeSection draft={draft} />
      <RegionSection draft={draft} />
      {isBasicAuthEnabled && (
        <Suspense>
          <TokensSection />
        </Suspense>
      )}
      <ExportSection />
    </Page>
  );
}

/** Everything that was written here, to take along. */
function ExportSection() {
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
        <>
          <Download
            href={urlOf(templates.exportTemplatesByQuery, {})}
            file="templates.zip"
            label={t('settings.exportTemplates')}
          />
          <LinkButton
            to="/{-$tenant}/templates"
            search={{}}
            variant="default"
            leftSection={<IconFileStack size={16} stroke={1.7} />}
            justify="flex-start"
          >
            {t('settings.openTemplates')}
          </LinkButton>
        </>
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
