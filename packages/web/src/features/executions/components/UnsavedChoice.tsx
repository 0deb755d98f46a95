import { Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../../../ui/dialog/DialogForm.module.css';
import type { UnsavedFlow } from '../../flows/index.ts';

interface UnsavedChoiceProps {
  flow: UnsavedFlow;
  onRunSaved: () => void;
  onClose: () => void;
}

/** Asks which text of a flow runs while the editor has changes that are not saved. */
export function UnsavedChoice({ flow, onRunSaved, onClose }: UnsavedChoiceProps) {
  const { t } = useTranslation();
  const [isSaving, setSaving] = useState(false);
  const { revision, canSave } = flow;
  const save = async () => {
    setSaving(true);
    // The form follows when everything is saved; otherwise the editor says what keeps it from that.
    if (await flow.save()) setSaving(false);
    else onClose();
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>{t('execute.unsaved', { id: flow.id, revision })}</p>
      {!canSave && <p className={styles.warning}>{t('execute.unsavedErrors')}</p>}
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          variant="default"
          onClick={onRunSaved}
          disabled={isSaving}
          data-autofocus={!canSave || undefined}
        >
          {t('execute.saved', { revision })}
        </Button>
        <Button
          onClick={() => void save()}
          loading={isSaving}
          disabled={!canSave}
          leftSection={<IconBolt size={16} />}
          data-autofocus={canSave || undefined}
        >
          {t('execute.saveFirst')}
        </Button>
      </div>
    </div>
  );
}
