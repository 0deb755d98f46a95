import { Button, Select } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { confirm, EmptyState, Loading } from '../../../ui/index.ts';
import { diffLines } from '../lineDiff.ts';
import { revisionsQuery, useSaveFlow } from '../queries.ts';
import styles from './FlowRevisions.module.css';

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** Compares two revisions, the last two at first, and brings an older one back as a new revision. */
export function FlowRevisions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const save = useSaveFlow(flow);
  const { data } = useQuery(revisionsQuery(flow));
  if (!data) return <Loading />;
  const revisions = data.toSorted((a, b) => b.revision - a.revision);
  if (revisions.length < 2)
    return <EmptyState illustration="stillWater" title={t('revision.one')} text={t('revision.oneText')} />;

  const find = (revision: number | undefined) => revisions.find((one) => one.revision === revision);
  const right = find(search.revisionRight) ?? revisions[0];
  const left = find(search.revisionLeft) ?? revisions[1];
  if (!left || !right) return null;
  const options = revisions.map(({ revision }) => ({
    value: String(revision),
    label:
      revision === flow.revision ? t('revision.current', { revision }) : t('revision.name', { revision }),
  }));
  const restore = async () => {
    const agreed = await confirm({
      title: t('revision.restore', { revision: left.revision }),
      body: t('revision.restoreText', { revision: left.revision }),
      confirm: t('action.restore'),
      cancel: t('action.cancel'),
    });
    if (!agreed) return;
    save.mutate(left.source, {
      onSuccess: ({ revision }) => showSuccess(t('flow.saved', { id: flow.id, revision })),
      onError: showError,
    });
  };
  return (
    <section>
      <div className={styles.bar}>
        <Select
          w={180}
          data={options}
          value={String(left.revision)}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, revisionLeft: Number(value) }), replace: true })
          }
          allowDeselect={false}
          aria-label={t('revision.left')}
        />
        <span aria-hidden="true">→</span>
        <Select
          w={180}
          data={options}
          value={String(right.revision)}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, revisionRight: Number(value) }), replace: true })
          }
          allowDeselect={false}
          aria-label={t('revision.right')}
        />
        <Button
          variant="default"
          onClick={() => void restore()}
          loading={save.isPending}
          disabled={left.revision === flow.revision || flow.deleted}
        >
          {t('revision.restore', { revision: left.revision })}
        </Button>
      </div>
      <pre className={styles.diff}>
        {diffLines(left.source, right.source).map((line) => (
          <div key={`${line.left ?? ''}:${line.right ?? ''}`} className={styles.line} data-kind={line.kind}>
            <span className={styles.number}>{line.left}</span>
            <span className={styles.number}>{line.right}</span>
            <span className={styles.sign}>{{ same: ' ', removed: '−', added: '+' }[line.kind]}</span>
            {line.text || ' '}
          </div>
        ))}
      </pre>
    </section>
  );
}
