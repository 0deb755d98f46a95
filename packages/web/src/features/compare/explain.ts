import type { Divergence, RunDifference } from '@millrace/engine';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../format/number.ts';

const longestValue = 60;

/** A value in a sentence: as JSON, shortened. */
export function shortValue(value: unknown, t: TFunction): string {
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
