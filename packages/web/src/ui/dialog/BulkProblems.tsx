import { BulkErrorResponse } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { ApiError } from '../../api/ApiError.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './DialogForm.module.css';

/** Why the server refused: one line per execution when it named them, its own words otherwise. */
export function BulkProblems({ error }: { error: Error }) {
  const { t } = useTranslation();
  const refusal = BulkErrorResponse.safeParse(error instanceof ApiError ? error.body : undefined).data;
  if (!refusal) return error.message;
  return (
    <>
      {t('dialog.refused')}
      <ul className={styles.problems}>
        {refusal.invalids.map(({ invalidValue, message }) => (
          <li key={invalidValue}>{wordsOf(message, invalidValue, t)}</li>
        ))}
      </ul>
    </>
  );
}

const known = {
  'execution not found': 'dialog.notFound',
  'execution not in state PAUSED': 'dialog.notPaused',
  'execution not in state FAILED': 'dialog.notFailed',
  'execution already finished': 'dialog.finished',
} as const;

/** The server names the problem and the execution apart; people read them in one sentence. */
function wordsOf(message: string, id: string, t: TFunction): string {
  const key = Object.entries(known).find(([words]) => words === message)?.[1];
  return key ? t(key, { id }) : `${id} ${message}`;
}
