import { Button } from '@mantine/core';
import { useTranslation } from '../../../../i18n/useTranslation.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import form from '../../../../ui/dialog/DialogForm.module.css';
import styles from './FileTree.module.css';
import type { ConflictChoice } from './fileBatch.ts';

interface ConflictDialogProps {
  names: readonly string[];
  onChoose: (choice: ConflictChoice | undefined) => void;
}

const mostShown = 8;

/** Asks what happens to files whose names are taken in the folder they go to. */
export function ConflictDialog({ names, onChoose }: ConflictDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={() => onChoose(undefined)} title={t('file.conflict')}>
      <div className={form.form}>
        <p className={form.text}>{t('file.conflictText')}</p>
        <ul className={styles.names}>
          {names.slice(0, mostShown).map((name) => (
            <li key={name}>{name}</li>
          ))}
          {names.length > mostShown && <li>{t('file.moreNames', { total: names.length - mostShown })}</li>}
        </ul>
        <div className={form.foot}>
          <Button variant="default" onClick={() => onChoose(undefined)}>
            {t('action.cancel')}
          </Button>
          <Button variant="default" onClick={() => onChoose('skip')}>
            {t('file.skip')}
          </Button>
          <Button variant="default" onClick={() => onChoose('keepBoth')} data-autofocus>
            {t('file.keepBoth')}
          </Button>
          <Button color="red" onClick={() => onChoose('replace')}>
            {t('file.replace')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
