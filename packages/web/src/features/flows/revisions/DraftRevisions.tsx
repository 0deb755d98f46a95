import { Button } from '@mantine/core';
import type { flowDrafts } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { confirm, DateAgo } from '../../../ui/index.ts';
import { draftRevisionsQuery, useDraftRevisions } from '../drafts.ts';
import type { FlowKey } from '../queries.ts';
import styles from './FlowRevisions.module.css';

/** The drafts of a flow above its revisions; nothing while there are none. */
export function DraftRevisions({ flow, canEdit }: { flow: FlowKey; canEdit: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: drafts = [] } = useQuery(draftRevisionsQuery(flow));
  const { publish, remove } = useDraftRevisions(flow);
  if (drafts.length === 0) return null;
  const open = ({ id: draft }: flowDrafts.DraftRevision) =>
    void navigate({
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace: flow.namespace, id: flow.id, tab: 'edit' },
      search: { draft },
    });
  const release = (draft: flowDrafts.DraftRevision) =>
    publish.mutate(draft.id, {
      onSuccess: ({ revision }) => showSuccess(t('draftRevision.published', { revision })),
      onError: showError,
    });
  const drop = async (draft: flowDrafts.DraftRevision) => {
    const agreed = await confirm({
      title: t('draftRevision.delete'),
      body: t('draftRevision.deleteText'),
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) remove.mutate(draft.id, { onError: showError });
  };
  return (
    <section className={styles.drafts} aria-label={t('draftRevision.title')}>
      <h2>{t('draftRevision.title')}</h2>
      <p>{t('draftRevision.text')}</p>
      <ul>
        {drafts.map((draft) => (
          <li key={draft.id}>
            <span className={styles.draft}>
              <strong>
                <DateAgo value={draft.updated} />
              </strong>
              {draft.author && <span>{t('draftRevision.by', { author: draft.author })}</span>}
              <span>{t('draftRevision.based', { revision: draft.revision })}</span>
              {draft.message && <span className={styles.draftMessage}>{draft.message}</span>}
              <span className={styles.draftProblem} data-valid={draft.problem === undefined || undefined}>
                {draft.problem ?? t('draftRevision.valid')}
              </span>
            </span>
            {canEdit && (
              <span className={styles.draftTools}>
                <Button size="compact-sm" variant="default" onClick={() => open(draft)}>
                  {t('draftRevision.open')}
                </Button>
                {draft.problem === undefined && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={publish.isPending && publish.variables === draft.id}
                    onClick={() => release(draft)}
                  >
                    {t('draftRevision.publish')}
                  </Button>
                )}
                <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void drop(draft)}>
                  {t('action.delete')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
