import { BulkErrorResponse } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/ApiError.ts';
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
          <li key={invalidValue}>
            <code>{invalidValue}</code> {message}
          </li>
        ))}
      </ul>
    </>
  );
}
