import type { Execution } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../shell/toasts.ts';
import { confirm } from '../../../ui/index.ts';
import { isKillable, isLive } from '../isKillable.ts';
import { useDeleteExecutions, useKillExecutions } from '../queries.ts';

/** Kill and delete, each asked about first. They resolve to how many executions were changed. */
export function useExecutionActions() {
  const { t } = useTranslation();
  const killing = useKillExecutions();
  const deletion = useDeleteExecutions();
  const cancel = t('action.cancel');

  const kill = async (chosen: readonly Execution[]): Promise<number> => {
    const ids = chosen.filter(isKillable).map(({ id }) => id);
    const count = ids.length;
    const title = t('execution.kill', { count });
    const agreed = await confirm({
      title,
      body: t('execution.killText', { count }),
      confirm: t('action.kill'),
      cancel,
      dangerous: true,
    });
    if (!agreed) return 0;
    const done = await killing.mutateAsync(ids);
    if (done > 0) showSuccess(t('execution.killed', { count: done }));
    return done;
  };

  const remove = async (chosen: readonly Execution[]): Promise<number> => {
    const count = chosen.length;
    const body = t(chosen.some(isLive) ? 'execution.deleteLiveText' : 'execution.deleteText', { count });
    const agreed = await confirm({
      title: t('execution.delete', { count }),
      body,
      confirm: t('action.delete'),
      cancel,
      dangerous: true,
    });
    if (!agreed) return 0;
    const done = await deletion.mutateAsync(chosen.map(({ id }) => id));
    if (done > 0) showSuccess(t('execution.deleted', { count: done }));
    return done;
  };

  return { kill, remove };
}
