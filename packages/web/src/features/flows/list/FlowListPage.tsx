import { flowTransfer } from '@millrace/contract';
import { IconListSearch, IconPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ImportButton } from '../../../ui/ImportButton.tsx';
import { EmptyState, LinkButton, Page } from '../../../ui/index.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { FlowList } from './FlowList.tsx';

export function FlowListPage() {
  const { t } = useTranslation();
  const { namespace } = useSearch({ from: '/{-$tenant}/flows' });
  return (
    <Page
      title={t('nav.flows')}
      actions={
        <>
          <ImportFlows />
          <LinkButton
            to="/{-$tenant}/flows/search"
            search={{ namespace }}
            variant="default"
            leftSection={<IconListSearch size={16} />}
          >
            {t('flowSearch.link')}
          </LinkButton>
          <LinkButton to="/{-$tenant}/flows/new" search={{ namespace }} leftSection={<IconPlus size={16} />}>
            {t('flow.create')}
          </LinkButton>
        </>
      }
    >
      <FlowList
        name="flows"
        empty={
          <EmptyState
            illustration="wheel"
            title={t('flow.none')}
            text={t('flow.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows/new" search={{}}>
                {t('flow.createFirst')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}

const ImportDialog = lazyPart(() => import('./ImportDialog.tsx'), 'ImportDialog', Nothing);

interface Chosen {
  readonly upload: FormData;
  readonly previews: readonly flowTransfer.ImportPreview[];
}

/** Takes a file with flows, shows what importing it would change, and imports it. */
export function ImportFlows() {
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <>
      <ImportButton
        onImport={async (upload) => {
          const previews = await call(flowTransfer.previewImport, { body: upload, failures: 'handled' });
          setChosen({ upload, previews });
        }}
      />
      {chosen && (
        <Suspense>
          <ImportDialog {...chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

export function FlowsOfNamespace({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  return (
    <FlowList
      name="namespace-flows"
      namespace={namespace}
      empty={
        <EmptyState
          illustration="wheel"
          title={t('flow.none')}
          text={t('flow.noneText')}
          action={
            <LinkButton to="/{-$tenant}/flows/new" search={{ namespace }}>
              {t('flow.create')}
            </LinkButton>
          }
        />
      }
    />
  );
}
