import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core';
import type { Flow, FlowRevision } from '@millrace/contract';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess, showWarning } from '../../../shell/toasts.ts';
import { SideDialog } from '../../../ui/dialog/Dialog.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { BrokenPart, confirm, DateAgo, EmptyState, Loading } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import { isReadOnly, revisionsQuery, useSaveFlow } from '../queries.ts';
import { ChangeList, compareFlows } from './ChangeList.tsx';
import { DraftRevisions } from './DraftRevisions.tsx';
import styles from './FlowRevisions.module.css';
import { conflictsIn, merge3, mergedText } from './merge3.ts';
import { RevisionDiff } from './RevisionDiff.tsx';

const RevisionGraphs = lazyPart(() => import('./RevisionGraphs.tsx'), 'RevisionGraphs');

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';
const views = ['inline', 'split', 'graph'] as const;

/** Compares two revisions, the last two at first, and restores an older one, or a part of it, as a new revision. */
export function FlowRevisions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const save = useSaveFlow();
  const { data, error, refetch } = useQuery(revisionsQuery(flow));
  const revisions = useMemo(() => data?.toSorted((a, b) => b.revision - a.revision) ?? [], [data]);
  const find = (revision: number | undefined) => revisions.find((one) => one.revision === revision);
  const right = find(search.revisionRight) ?? revisions[0];
  const left = find(search.revisionLeft) ?? revisions[1];
  const [before, after] = [left?.source ?? '', right?.source ?? ''];
  const read = useMemo(() => compareFlows(before, after), [before, after]);
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  const drafts = <DraftRevisions flow={flow} canEdit={!isReadOnly(flow)} />;
  if (!left || !right)
    return (
      <>
        {drafts}
        <EmptyState illustration="stillWater" title={t('revision.one')} text={t('revision.oneText')} />
      </>
    );

  const { view = 'inline' } = search;
  const current = find(flow.revision) ?? right;
  const canRestore = !isReadOnly(flow);
  const go = (change: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const store = (source: string, message: string) =>
    save.mutate(
      { source, key: flow, baseRevision: flow.revision, message },
      {
        onSuccess: (saved) => showSuccess(t('flow.saved', { id: flow.id, revision: saved.revision })),
        onError: showError,
      },
    );
  const restore = async ({ revision, source }: FlowRevision) => {
    const agreed = await confirm({
      title: t('revision.restore', { revision }),
      body: t('revision.restoreText', { revision }),
      confirm: t('action.restore'),
      cancel: t('action.cancel'),
    });
    if (agreed) store(source, t('revisions.restored', { revision }));
  };
  /** Saves the current revision with one part of it as it was on the left. */
  const restorePart = async (text: string | undefined) => {
    if (text === undefined || text === current.source)
      return showWarning(t('revisions.cannotRestoreText'), t('revisions.cannotRestore'));
    const agreed = await confirm({
      title: t('revisions.restorePart', { revision: left.revision }),
      body: <RevisionDiff before={current.source} after={text} view="inline" isPreview />,
      confirm: t('action.restore'),
      cancel: t('action.cancel'),
      size: 'xl',
    });
    if (agreed) store(text, t('revisions.restoredPart', { revision: left.revision }));
  };
  /** A hunk of an older comparison is applied to the current text, which may have changed since. */
  const restoreHunk = (reverted: string) => {
    const parts = merge3(right.source, current.source, reverted);
    void restorePart(conflictsIn(parts) > 0 ? undefined : mergedText(parts));
  };
  const sideOf = (revision: FlowRevision) => ({
    revisions,
    current: flow.revision,
    revision,
    canRestore: revision.revision !== flow.revision && !flow.deleted,
    isRestoring: save.isPending && save.variables.source === revision.source,
    onRestore: () => void restore(revision),
  });
  return (
    <section>
      {drafts}
      <div className={styles.bar}>
        <RevisionSide
          label={t('revision.left')}
          onChoose={(revisionLeft) => go({ revisionLeft })}
          {...sideOf(left)}
        />
        <span aria-hidden="true" className={styles.to}>
          →
        </span>
        <RevisionSide
          label={t('revision.right')}
          onChoose={(revisionRight) => go({ revisionRight })}
          {...sideOf(right)}
        />
        <SegmentedControl
          className={styles.end ?? ''}
          aria-label={t('revision.view')}
          data={views.map((value) => ({
            value,
            label: value === 'graph' ? t('revisions.graph') : t(`revision.${value}`),
          }))}
          value={view}
          onChange={(next) => go({ view: views.find((one) => one === next && one !== 'inline') })}
        />
      </div>
      {read && (
        <ChangeList
          changes={read.changes}
          before={left.source}
          current={current.source}
          onRestore={canRestore ? (text) => void restorePart(text) : undefined}
        />
      )}
      {view === 'graph' ? (
        read ? (
          <Suspense fallback={<Loading />}>
            <RevisionGraphs before={read.before} after={read.after} changes={read.changes} />
          </Suspense>
        ) : (
          <EmptyState
            illustration="stillWater"
            title={t('revisions.noGraph')}
            text={t('revisions.noGraphText')}
          />
        )
      ) : (
        <RevisionDiff
          before={left.source}
          after={right.source}
          view={view}
          onRestore={canRestore ? restoreHunk : undefined}
        />
      )}
    </section>
  );
}

interface RevisionSideProps {
  readonly label: string;
  readonly revisions: readonly FlowRevision[];
  /** The number of the latest revision. */
  readonly current: number;
  readonly revision: FlowRevision;
  onChoose(revision: number): void;
  readonly canRestore: boolean;
  readonly isRestoring: boolean;
  onRestore(): void;
}

/** One side of a comparison: which revision it is, who saved it when and why, and the way back to it. */
function RevisionSide(props: RevisionSideProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { revisions, current } = props;
  const { revision, source } = props.revision;
  const show = t('revision.full', { revision });
  const nameOf = (number: number) =>
    number === current
      ? t('revision.current', { revision: number })
      : t('revision.name', { revision: number });
  return (
    <div className={styles.sideBox}>
      <div className={styles.side}>
        <Select
          w={200}
          comboboxProps={{ width: 320, position: 'bottom-start' }}
          data={revisions.map((one) => ({ value: String(one.revision), label: nameOf(one.revision) }))}
          value={String(revision)}
          onChange={(value) => props.onChoose(Number(value))}
          allowDeselect={false}
          aria-label={props.label}
          renderOption={({ option }) => {
            const one = revisions.find((each) => String(each.revision) === option.value);
            return (
              <span className={styles.option}>
                <span>{option.label}</span>
                {one && <Facts revision={one} />}
              </span>
            );
          }}
        />
        <Hint label={show}>
          <ActionIcon variant="default" size={34} aria-label={show} onClick={() => setOpen(true)}>
            <IconFileText size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
        <Button
          variant="default"
          onClick={props.onRestore}
          loading={props.isRestoring}
          disabled={!props.canRestore}
          aria-label={t('revision.restore', { revision })}
        >
          {t('revision.restoreName')}
        </Button>
      </div>
      <Facts revision={props.revision} />
      {isOpen && (
        <SideDialog onClose={() => setOpen(false)} size="xl" title={t('revision.name', { revision })}>
          <CodeBlock>
            <code className="language-yaml">{source}</code>
          </CodeBlock>
        </SideDialog>
      )}
    </div>
  );
}

/** When, by whom and why, as far as it is known. */
function Facts({ revision: { updated, author, message } }: { revision: FlowRevision }) {
  if (updated === undefined && author === undefined) return null;
  return (
    <span className={styles.facts}>
      <span className={styles.when}>
        {updated !== undefined && <DateAgo value={updated} />}
        {author !== undefined && <span>{author}</span>}
      </span>
      {message !== undefined && <span className={styles.message}>{message}</span>}
    </span>
  );
}
