import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../shell/toasts.ts';
import { confirm } from '../../../ui/index.ts';
import { dependentsOf } from '../dependentsOf.ts';
import { dependenciesQuery, type FlowKey, useDeleteFlow } from '../queries.ts';
import { DeleteWarning } from './DeleteWarning.tsx';

/** Asks, deletes and says so. Resolves to whether the flow is gone. */
export function useConfirmDelete() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const deletion = useDeleteFlow();
  return async ({ namespace, id }: FlowKey): Promise<boolean> => {
    // Without them the question is still a good one.
    const topology = await client.fetchQuery(dependenciesQuery({ namespace, id })).catch(() => undefined);
    const dependents = topology ? dependentsOf(topology, { namespace, id }) : [];
    const agreed = await confirm({
      title: t('flow.delete', { id }),
      body: <DeleteWarning namespace={namespace} id={id} dependents={dependents} />,
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (!agreed) return false;
    return deletion.mutateAsync({ namespace, id }).then(
      () => {
        showSuccess(t('flow.deleted', { id }));
        return true;
      },
      // The failure has been shown already.
      () => false,
    );
  };
}
