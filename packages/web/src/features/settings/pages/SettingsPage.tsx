import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { Page } from '../../../ui/index.ts';
import { ExportSection } from '../components/ExportSection.tsx';
import { MainSection } from '../components/MainSection.tsx';
import { RegionSection } from '../components/RegionSection.tsx';
import { ThemeSection } from '../components/ThemeSection.tsx';
import { useDraft } from '../useDraft.ts';

/** What this browser remembers about its user's taste. One button saves all of it, with effect at once. */
export function SettingsPage() {
  const { t } = useTranslation();
  const draft = useDraft();
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
      <ExportSection />
    </Page>
  );
}
