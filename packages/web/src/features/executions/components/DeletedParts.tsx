import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '../../../ui/dialog/DialogForm.module.css';

const names = ['deleteLogs', 'deleteMetrics', 'deleteStorage'] as const;
export type Parts = Record<(typeof names)[number], boolean>;

export const everyPart: Parts = { deleteLogs: true, deleteMetrics: true, deleteStorage: true };

/** What goes with an execution that is deleted. */
export function DeletedParts({ parts, onChange }: { parts: Parts; onChange: (parts: Parts) => void }) {
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
