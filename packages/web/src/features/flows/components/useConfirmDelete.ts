import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../shell/toasts.ts';
import { confirm } from '../../../ui/index.ts';
import { type FlowKey, useDeleteFlow } from '../queries.ts';

/** Asks, deletes and says so. Resolves to whether the flow is gone. */
export function useConfirmDelete() {
  const { t } = useTranslation();
  const deletion = useDeleteFlow();
  return async ({ namespace, id }: FlowKey): Promise<boolean> => {
    const agreed = await confirm({
      title: t('flow.delete', { id }),
      body: t('flow.deleteText', { id, namespace }),
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
