import type { Comparison, Divergence, RunDifference } from '@millrace/engine';
import { IconCircleCheck, IconGitFork } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './ComparePage.module.css';
import type { ComparedPart } from './search.ts';

interface DivergencesProps {
  comparison: Comparison;
  /** Shows the place of a difference and the part that shows it best. */
  onSelect: (path: string | undefined, part: ComparedPart) => void;
}

/** Where two executions began to differ, in sentences: the first difference first. */
export function Divergences({ comparison: { divergences, runs }, onSelect }: DivergencesProps) {
  const { t } = useTranslation();
  if (divergences.length === 0)
    return (
      <p className={styles.same} role="status">
        <IconCircleCheck size={18} stroke={1.7} />
        {t('compare.same')}
      </p>
    );
  const pathOf = (divergence: Divergence) =>
    divergence.at === 'run' ? runs[divergence.index]?.path : undefined;
  return (
    <section className={styles.divergences} aria-label={t('compare.divergences')}>
      <IconGitFork size={18} stroke={1.7} />
      <ol className={styles.sentences}>
        {divergences.map((divergence, index) => (
          <li key={`${divergence.at} ${divergence.difference.kind}`}>
            <span className={styles.rank} data-first={index === 0 || undefined}>
              {t(index === 0 ? 'compare.first' : 'compare.then')}
            </span>
            <button
              type="button"
              className={styles.sentence}
              onClick={() => onSelect(pathOf(divergence), partOf(divergence))}
            >
              {explainDivergence(divergence, pathOf(divergence) ?? '', t)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function partOf({ difference: { kind } }: Divergence): ComparedPart {
  if (kind === 'input') return 'inputs';
  if (kind === 'revision' || kind === 'flow') return 'source';
  return kind === 'output' ? 'outputs' : 'logs';
}

const longestValue = 60;

/** A value in a sentence: as JSON, shortened. */
function shortValue(value: unknown, t: TFunction): string {
  if (value === undefined) return t('compare.nothing');
  const text = JSON.stringify(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

/** One sentence for a difference. `task` is the path of the task runs that differ. */
export function explainDivergence(divergence: Divergence, task: string, t: TFunction): string {
  if (divergence.at === 'run') return explainRun(divergence.difference, task, t);
  const { difference } = divergence;
  switch (difference.kind) {
    case 'flow':
      return t('compare.start.flow', { left: difference.left, right: difference.right });
    case 'revision':
      return t('compare.start.revision', { left: difference.left, right: difference.right });
    case 'input':
      return t('compare.start.input', { name: difference.name, ...valuesOf(difference, t) });
  }
}

function explainRun(difference: RunDifference, task: string, t: TFunction): string {
  switch (difference.kind) {
    case 'path':
      return t(`compare.run.path.${difference.side}`, { task });
    case 'state':
      return t('compare.run.state', {
        task,
        left: t(`state.${difference.left}`),
        right: t(`state.${difference.right}`),
      });
    case 'output':
      return t('compare.run.output', { task, name: difference.name, ...valuesOf(difference, t) });
    case 'attempts':
      return t('compare.run.attempts', { task, left: difference.left, right: difference.right });
    case 'duration':
      return t(`compare.run.duration.${difference.slower}`, {
        task,
        factor: formatNumber(difference.factor, { maximumFractionDigits: 1 }),
      });
  }
}

const valuesOf = ({ left, right }: { left?: unknown; right?: unknown }, t: TFunction) => ({
  left: shortValue(left, t),
  right: shortValue(right, t),
});
