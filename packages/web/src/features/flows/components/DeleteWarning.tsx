import type { FlowTopology } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import type { FlowKey } from '../queries.ts';
import styles from './DeleteWarning.module.css';

interface DeleteWarningProps extends FlowKey {
  /** The flows that miss it when it is gone. */
  dependents: FlowTopology['nodes'];
}

/** What deleting a flow means, and for which others. */
export function DeleteWarning({ namespace, id, dependents }: DeleteWarningProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.text}>{t('flow.deleteText', { id, namespace })}</p>
      {dependents.length > 0 && (
        <div className={styles.warning} role="alert">
          {t('flow.deleteDependents', { count: dependents.length })}
          <ul>
            {dependents.map((flow) => (
              <li key={flow.uid}>
                <code>{flow.namespace === undefined ? flow.id : `${flow.namespace}.${flow.id}`}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
