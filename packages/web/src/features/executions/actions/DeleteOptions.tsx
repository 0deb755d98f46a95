import { Checkbox } from '@mantine/core';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from '../../../ui/dialog/DialogForm.module.css';

const names = ['deleteLogs', 'deleteMetrics', 'deleteStorage'] as const;
export type Parts = Record<(typeof names)[number], boolean>;

export const everyPart: Parts = { deleteLogs: true, deleteMetrics: true, deleteStorage: true };

/** What goes with an execution that is deleted. */
export function DeleteOptions({ parts, onChange }: { parts: Parts; onChange: (parts: Parts) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.choices}>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={t(`execution.${name}`)}
          checked={parts[name]}
          onChange={(event) => onChange({ ...parts, [name]: event.currentTarget.checked })}
        />
      ))}
    </div>
  );
}

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
