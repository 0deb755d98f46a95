import type { Flow, TestedBranch } from '@millrace/contract';
import { flowGraph } from '@millrace/engine';
import { countCoverage } from '@millrace/engine/flow-test';
import { Suspense, useMemo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/Loading.tsx';
import { type Mark, type Marks, Topology } from '../topology/index.ts';
import styles from './FlowTests.module.css';

/** The graph of the flow, painted with what the tests reach, and the branches that none of them takes. */
export function Coverage({ flow, coverage }: { flow: Flow; coverage: readonly TestedBranch[] }) {
  const { t } = useTranslation();
  const graph = useMemo(() => flowGraph(flow), [flow]);
  const marks = useMemo(() => coverageMarks(coverage), [coverage]);
  const missed = coverage.filter(({ isCovered }) => !isCovered);
  const { branches, tasks } = countCoverage(coverage);
  return (
    <section className={styles.coverage} aria-label={t('flowTests.coverage')}>
      <p className={styles.muted} role="status">
        {branches.total > 0 && <>{t('flowTests.coveredBranches', { ...branches })} </>}
        {t('flowTests.coveredTasks', { ...tasks })}
        {missed.length > 0 && (
          <>
            {' '}
            {t('flowTests.missed')}{' '}
            {missed.slice(0, 12).map(({ taskId, branch }) => (
              <code key={`${taskId} ${branch}`} className={styles.missed}>
                {branch === 'task' ? taskId : taskId === '' ? branch : `${taskId}: ${branch}`}
              </code>
            ))}
          </>
        )}
      </p>
      <div className={styles.graph}>
        <Suspense fallback={<Loading />}>
          <Topology graph={graph} marks={marks} />
        </Suspense>
      </div>
    </section>
  );
}

/** How much of each task the tests reach: all its branches, some of them, or none. */
export function coverageMarks(coverage: readonly TestedBranch[]): Marks {
  const byTask = new Map<string, TestedBranch[]>();
  for (const branch of coverage) byTask.set(branch.taskId, [...(byTask.get(branch.taskId) ?? []), branch]);
  return new Map([...byTask].map(([taskId, branches]) => [taskId, markOf(branches)]));
}

function markOf(branches: readonly TestedBranch[]): Mark {
  if (branches.every(({ isCovered }) => isCovered)) return 'covered';
  return branches.some(({ isCovered }) => isCovered) ? 'partlyCovered' : 'notCovered';
}
