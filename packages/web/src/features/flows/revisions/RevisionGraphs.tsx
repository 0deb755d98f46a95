import type { Flow } from '@millrace/contract';
import { type FlowChange, flowGraph } from '@millrace/engine';
import { useMemo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { type Mark, type Marks, Topology } from '../../topology/index.ts';
import styles from './FlowRevisions.module.css';

interface RevisionGraphsProps {
  readonly before: Flow;
  readonly after: Flow;
  readonly changes: readonly FlowChange[];
}

/** Both revisions as graphs: what is gone is marked in the left one, what is new in the right one. */
export function RevisionGraphs({ before, after, changes }: RevisionGraphsProps) {
  const { t } = useTranslation();
  const graphs = useMemo(() => ({ left: flowGraph(before), right: flowGraph(after) }), [before, after]);
  const marks = useMemo(() => marksOf(changes), [changes]);
  const isEqual = marks.left.size + marks.right.size === 0;
  return (
    <div className={styles.graphs}>
      {isEqual && <p className={styles.equal}>{t('revisions.graphsEqual')}</p>}
      {(['left', 'right'] as const).map((side) => (
        <figure key={side} className={styles.graph}>
          <figcaption>{t(side === 'left' ? 'revisions.graphBefore' : 'revisions.graphAfter')}</figcaption>
          <div className={styles.canvas}>
            <Topology graph={graphs[side]} marks={marks[side]} />
          </div>
        </figure>
      ))}
    </div>
  );
}

/** The strongest mark of each task: a task that was moved and changed is shown as changed. */
const strength: readonly Mark[] = ['moved', 'renamed', 'changed', 'removed', 'added'];

export function marksOf(changes: readonly FlowChange[]): { left: Marks; right: Marks } {
  const [left, right] = [new Map<string, Mark>(), new Map<string, Mark>()];
  const oldIds = new Map(
    changes.flatMap((change) => (change.kind === 'renamed' ? [[change.id, change.before] as const] : [])),
  );
  const put = (marks: Map<string, Mark>, id: string, mark: Mark) => {
    const known = marks.get(id);
    if (!known || strength.indexOf(mark) > strength.indexOf(known)) marks.set(id, mark);
  };
  for (const change of changes) {
    if (change.kind === 'flow' || (change.part !== 'task' && change.part !== 'trigger')) continue;
    const { kind, id } = change;
    if (kind !== 'added') put(left, oldIds.get(id) ?? id, kind);
    if (kind !== 'removed') put(right, id, kind);
  }
  return { left, right };
}
