import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/index.ts';
import { KvList } from '../components/KvList.tsx';
import { KvForm } from '../index.ts';

export function KvListPage() {
  const { t } = useTranslation();
  const { namespace } = useSearch({ from: '/{-$tenant}/kv' });
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={t('nav.kv')}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t('kv.create')}
        </Button>
      }
    >
      <KvList onCreate={() => setCreating(true)} />
      {isCreating && (
        <Suspense>
          <KvForm {...(namespace && { namespace })} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}
