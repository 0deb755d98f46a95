import type { FlowTopology } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { confirm } from '../../ui/index.ts';
import { dependenciesQuery, type FlowKey, useDeleteFlow } from './queries.ts';
import styles from './useConfirmDelete.module.css';

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

interface DeleteWarningProps extends FlowKey {
  /** The flows that miss it when it is gone. */
  dependents: FlowTopology['nodes'];
}

/** What deleting a flow means, and for which others. */
function DeleteWarning({ namespace, id, dependents }: DeleteWarningProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.text}>{t('flow.deleteText', { id, namespace })}</p>
      {dependents.length > 0 && (
        <div className={styles.warning} role="alert">
          {t('flow.deleteDependents', { count: dependents.length })}
          <ul>
            {dependents.map((flow) => (
              <li key={flow.uid}>
                <code>{flow.namespace === undefined ? flow.id : `${flow.namespace}.${flow.id}`}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The flows that run this one as a subflow or wait for its end: those that miss it when it is gone. */
function dependentsOf({ nodes, edges }: FlowTopology, { namespace, id }: FlowKey) {
  const own = nodes.find((node) => node.namespace === namespace && node.id === id)?.uid;
  const uids = new Set(
    edges.flatMap(({ source, target, relation }) => {
      if (relation === 'FLOW_TASK' && target === own) return [source];
      return relation === 'FLOW_TRIGGER' && source === own ? [target] : [];
    }),
  );
  return nodes.filter(({ uid }) => uid !== own && uids.has(uid));
}
