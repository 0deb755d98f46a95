import { Button } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../../ui/Hint.tsx';
import { KeyHint } from '../../../ui/index.ts';
import styles from './SaveButton.module.css';

interface SaveButtonProps {
  issues: readonly Issue[];
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
  /** Where saving is the page's one primary action. */
  primary?: boolean;
}

/** Saves, or says why it cannot. It stays focusable when it cannot, so that the reason can be reached. */
export function SaveButton({ issues, isDirty, isSaving, onSave, primary = false }: SaveButtonProps) {
  const { t } = useTranslation();
  const errors = issues.filter((issue) => issue.severity === 'error');
  const canSave = errors.length === 0 && isDirty;
  return (
    <Hint label={<Reason errors={errors} isDirty={isDirty} />} multiline maw={420} position="bottom-end">
      <Button
        variant={primary && errors.length === 0 ? 'filled' : 'default'}
        className={styles.save}
        data-state={errors.length > 0 ? 'error' : isDirty && !primary ? 'dirty' : undefined}
        leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
        aria-disabled={!canSave}
        loading={isSaving}
        onClick={onSave}
      >
        {errors.length > 0 ? t('flow.saveErrors', { count: errors.length }) : t('action.save')}
      </Button>
    </Hint>
  );
}

function Reason({ errors, isDirty }: { errors: readonly Issue[]; isDirty: boolean }) {
  const { t } = useTranslation();
  if (errors.length > 0)
    return (
      <>
        {t('flow.editorError')}
        <ul className={styles.reasons}>
          {errors.slice(0, 6).map((issue) => (
            <li key={`${issue.path}${issue.message}`}>
              {issue.range && `${t('flow.line', { line: issue.range.start.line })} `}
              {issue.message}
            </li>
          ))}
        </ul>
      </>
    );
  if (!isDirty) return t('flow.nothingToSave');
  return (
    <>
      {t('action.save')} <KeyHint keys="mod+S" />
    </>
  );
}
