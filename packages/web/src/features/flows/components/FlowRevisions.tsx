import { SegmentedControl } from '@mantine/core';
import type { Flow, FlowWithSource } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { BrokenPart, confirm, EmptyState, Loading } from '../../../ui/index.ts';
import { revisionsQuery, useSaveFlow } from '../queries.ts';
import styles from './FlowRevisions.module.css';
import { RevisionDiff } from './RevisionDiff.tsx';
import { RevisionSide } from './RevisionSide.tsx';

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** Compares two revisions, the last two at first, and brings an older one back as a new revision. */
export function FlowRevisions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const save = useSaveFlow();
  const { data, error, refetch } = useQuery(revisionsQuery(flow));
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  const revisions = data.toSorted((a, b) => b.revision - a.revision);
  const find = (revision: number | undefined) => revisions.find((one) => one.revision === revision);
  const right = find(search.revisionRight) ?? revisions[0];
  const left = find(search.revisionLeft) ?? revisions[1];
  if (!left || !right)
    return <EmptyState illustration="stillWater" title={t('revision.one')} text={t('revision.oneText')} />;

  const { view = 'inline' } = search;
  const go = (change: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const options = revisions.map(({ revision }) => ({
    value: String(revision),
    label:
      revision === flow.revision ? t('revision.current', { revision }) : t('revision.name', { revision }),
  }));
  const restore = async ({ revision, source }: FlowWithSource) => {
    const agreed = await confirm({
      title: t('revision.restore', { revision }),
      body: t('revision.restoreText', { revision }),
      confirm: t('action.restore'),
      cancel: t('action.cancel'),
    });
    if (!agreed) return;
    save.mutate(
      { source, key: flow },
      {
        onSuccess: (saved) => showSuccess(t('flow.saved', { id: flow.id, revision: saved.revision })),
        onError: showError,
      },
    );
  };
  const sideOf = (revision: FlowWithSource) => ({
    options,
    revision,
    canRestore: revision.revision !== flow.revision && !flow.deleted,
    isRestoring: save.isPending && save.variables.source === revision.source,
    onRestore: () => void restore(revision),
  });
  return (
    <section>
      <div className={styles.bar}>
        <RevisionSide
          label={t('revision.left')}
          onChoose={(revisionLeft) => go({ revisionLeft })}
          {...sideOf(left)}
        />
        <span aria-hidden="true">→</span>
        <RevisionSide
          label={t('revision.right')}
          onChoose={(revisionRight) => go({ revisionRight })}
          {...sideOf(right)}
        />
        <SegmentedControl
          className={styles.end ?? ''}
          aria-label={t('revision.view')}
          data={(['inline', 'split'] as const).map((value) => ({ value, label: t(`revision.${value}`) }))}
          value={view}
          onChange={(next) => go({ view: next === 'split' ? 'split' : undefined })}
        />
      </div>
      <RevisionDiff before={left.source} after={right.source} view={view} />
    </section>
  );
}
