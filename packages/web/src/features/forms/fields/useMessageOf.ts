import { useTranslation } from 'react-i18next';
import type { Problem } from '../schema/check.ts';

/** What is wrong with a field, in words. */
export function useMessageOf(): (problem: Problem, name: string) => string {
  const { t } = useTranslation();
  return (problem, name) => {
    if (problem.kind === 'required') return t('form.required');
    if (problem.kind === 'duration') return t('form.duration');
    const invalid = t('form.invalid', { name });
    const { reason } = problem;
    return reason ? `${invalid}. ${t(`form.reason.${reason.rule}`, { limit: reason.limit })}` : invalid;
  };
}
