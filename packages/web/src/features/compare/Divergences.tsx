import type { Comparison, Divergence } from '@millrace/engine';
import { IconCircleCheck, IconGitFork } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './ComparePage.module.css';
import { explainDivergence } from './explain.ts';
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
