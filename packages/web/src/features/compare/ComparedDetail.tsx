import { SegmentedControl } from '@mantine/core';
import type { Execution, TaskRun } from '@millrace/contract';
import type { ComparedRuns } from '@millrace/engine';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, ErrorBoundary, Loading } from '../../ui/index.ts';
import { executionSourceQuery } from '../executions/index.ts';
import { RevisionDiff } from '../flows/index.ts';
import styles from './ComparedDetail.module.css';
import { LogDiff, type SideIds } from './LogDiff.tsx';
import { propertiesQuery } from './queries.ts';
import { type ComparedPart, executionParts, runParts } from './search.ts';
import { ValueDiff } from './ValueDiff.tsx';

interface Sides {
  left: Execution;
  right: Execution;
}

interface ComparedDetailProps extends Sides {
  /** The selected task runs; without them the executions themselves. */
  runs: ComparedRuns | undefined;
  part: ComparedPart | undefined;
  all: boolean;
  onPart: (part: ComparedPart) => void;
}

/** Everything that the selected place of both executions says, part by part. */
export function ComparedDetail({ left, right, runs, part, all, onPart }: ComparedDetailProps) {
  const { t } = useTranslation();
  const parts: readonly ComparedPart[] = runs ? runParts : executionParts;
  const ids = useMemo(
    () => ({ left: idsOf(left, runs?.left), right: idsOf(right, runs?.right) }),
    [left, right, runs],
  );
  const shown = part && parts.includes(part) ? part : usualPart(left, right, runs);
  return (
    <section className={styles.detail} aria-label={t('compare.detail')}>
      <header className={styles.head}>
        <strong className={styles.title}>{runs?.path ?? t('compare.execution')}</strong>
        <SegmentedControl
          size="xs"
          aria-label={t('compare.part.label')}
          data={parts.map((value) => ({ value, label: t(`compare.part.${value}`) }))}
          value={shown}
          // `as`: the control offers only these.
          onChange={(value) => onPart(value as ComparedPart)}
        />
      </header>
      <div className={styles.body}>
        <ErrorBoundary resetKey={shown}>
          <Suspense fallback={<Loading />}>
            {runs ? (
              <RunPart part={shown} runs={runs} left={left} right={right} all={all} ids={ids} />
            ) : (
              <ExecutionPart part={shown} left={left} right={right} all={all} ids={ids} />
            )}
          </Suspense>
        </ErrorBoundary>
      </div>
    </section>
  );
}

/** The part that most likely explains the difference. */
function usualPart(left: Execution, right: Execution, runs: ComparedRuns | undefined): ComparedPart {
  if (!runs) return left.flowRevision === right.flowRevision ? 'inputs' : 'source';
  const [first] = runs.differences;
  return first?.kind === 'output' || first === undefined ? 'outputs' : 'logs';
}

interface PartProps extends Sides {
  part: ComparedPart;
  all: boolean;
  ids: SideIds;
}

function ExecutionPart({ part, left, right, all, ids }: PartProps) {
  if (part === 'source') return <SourceDiff left={left} right={right} />;
  const values = (execution: Execution) => (part === 'inputs' ? execution.inputs : execution.outputs) ?? {};
  return (
    <ValueDiff
      left={{ execution: left, values: values(left) }}
      right={{ execution: right, values: values(right) }}
      ids={ids}
      all={all}
    />
  );
}

function SourceDiff({ left, right }: Sides) {
  const { t } = useTranslation();
  const [before, after] = [useQuery(executionSourceQuery(left)), useQuery(executionSourceQuery(right))];
  const error = before.error ?? after.error;
  if (error) return <BrokenPart error={error} onRetry={() => void refetchBoth(before, after)} />;
  if (before.data === undefined || after.data === undefined) return <Loading />;
  if (before.data === after.data) return <p className={styles.quiet}>{t('compare.sameSource')}</p>;
  return <RevisionDiff before={before.data} after={after.data} view="inline" />;
}

function RunPart({ part, runs, left, right, all, ids }: PartProps & { runs: ComparedRuns }) {
  if (part === 'logs') return <LogDiff left={runs.left} right={runs.right} ids={ids} />;
  if (part === 'properties')
    return <PropertyDiff left={left} right={right} runs={runs} all={all} ids={ids} />;
  return (
    <ValueDiff
      left={{ execution: left, values: runs.left?.outputs ?? {} }}
      right={{ execution: right, values: runs.right?.outputs ?? {} }}
      ids={ids}
      all={all}
    />
  );
}

const idsOf = ({ id }: Execution, run: TaskRun | undefined): string[] => (run ? [id, run.id] : [id]);

interface PropertyDiffProps extends Sides {
  runs: ComparedRuns;
  all: boolean;
  ids: SideIds;
}

function PropertyDiff({ left, right, runs, all, ids }: PropertyDiffProps) {
  const { t } = useTranslation();
  const before = useProperties(left, runs.left);
  const after = useProperties(right, runs.right);
  const error = before.error ?? after.error;
  if (error) return <BrokenPart error={error} onRetry={() => void refetchBoth(before, after)} />;
  if ((runs.left && !before.data) || (runs.right && !after.data)) return <Loading />;
  return (
    <>
      <p className={styles.quiet}>{t('compare.renderedNow')}</p>
      <ValueDiff
        left={{ execution: left, values: before.data?.properties ?? {} }}
        right={{ execution: right, values: after.data?.properties ?? {} }}
        ids={ids}
        all={all}
      />
    </>
  );
}

const useProperties = (execution: Execution, run: TaskRun | undefined) =>
  useQuery({ ...propertiesQuery(execution.id, run?.id ?? ''), enabled: run !== undefined });

const refetchBoth = (...queries: readonly { refetch: () => Promise<unknown> }[]) =>
  Promise.all(queries.map((query) => query.refetch()));
