import { Select } from '@mantine/core';
import { executionReads } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';

const ExecuteDialog = lazyPart(() => import('./ExecuteDialog.tsx'), 'ExecuteDialog', Nothing);

interface ExecuteAnyDialogProps {
  /** The namespace that the list shows. */
  namespace?: string | undefined;
  onClose: () => void;
}

/** Asks for a namespace, then for one of its flows, then for what that flow asks for. */
export function ExecuteAnyDialog({ namespace: initial, onClose }: ExecuteAnyDialogProps) {
  const { t } = useTranslation();
  const [namespace, setNamespace] = useState(initial);
  const [flowId, setFlowId] = useState<string>();
  const { data: namespaces = [] } = useQuery({
    queryKey: ['namespaces', currentTenant(), 'executable'],
    queryFn: ({ signal }) => call(executionReads.listExecutableNamespaces, { signal }),
  });
  const { data: flows } = useQuery({
    queryKey: ['flows', currentTenant(), 'executable', namespace],
    queryFn: ({ signal }) =>
      call(executionReads.listExecutableFlows, { params: { namespace: namespace ?? '' }, signal }),
    enabled: namespace !== undefined,
  });
  if (namespace !== undefined && flowId !== undefined)
    return <ExecuteDialog namespace={namespace} flowId={flowId} onClose={onClose} />;
  const runnable = (flows ?? []).filter(({ disabled }) => !disabled).map(({ id }) => id);
  return (
    <Dialog onClose={onClose} title={t('execution.executeTitle')}>
      <div className={styles.form}>
        <p className={styles.text}>{t('execution.executeText')}</p>
        <Select
          data-autofocus={initial === undefined || undefined}
          label={t('flow.namespace')}
          data={namespaces}
          value={namespace ?? null}
          onChange={(next) => setNamespace(next ?? undefined)}
          searchable
          nothingFoundMessage={t('filter.nothing')}
        />
        <Select
          data-autofocus={initial !== undefined || undefined}
          label={t('execute.flow')}
          data={runnable}
          value={null}
          onChange={(next) => setFlowId(next ?? undefined)}
          disabled={!flows}
          searchable
          nothingFoundMessage={t('execute.noFlows')}
        />
      </div>
    </Dialog>
  );
}
