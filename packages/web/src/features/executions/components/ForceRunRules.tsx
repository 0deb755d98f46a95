import { useTranslation } from 'react-i18next';
import styles from '../../../ui/dialog/DialogForm.module.css';

const forcedStates = ['CREATED', 'RUNNING', 'QUEUED', 'PAUSED'] as const;

/** What forcing does to a task in each of the states it may wait in. */
export function ForceRunRules() {
  const { t } = useTranslation();
  return (
    <ul className={styles.rules}>
      {forcedStates.map((state) => (
        <li key={state}>{t(`executionAction.forceRun.rule.${state}`)}</li>
      ))}
    </ul>
  );
}
