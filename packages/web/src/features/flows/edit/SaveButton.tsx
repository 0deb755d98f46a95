import { Button, Menu } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import { IconChevronDown, IconDeviceFloppy } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import saveNoteClasses from '../../../ui/DraftNote.module.css';
import { Hint } from '../../../ui/Hint.tsx';
import { KeyHint } from '../../../ui/index.ts';
import { useNow } from '../../../ui/values/useNow.ts';
import styles from './SaveButton.module.css';
import type { SaveStatus } from './useFlowSave.ts';

interface SaveButtonProps {
  issues: readonly Issue[];
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
  /** Offered beside the button: saves with a few words about why. */
  onSaveWithMessage?: (() => void) | undefined;
  /** Offered beside the button: keeps a text that need not be valid, without making it the current revision. */
  onSaveDraft?: (() => void) | undefined;
  /** Where saving is the page's one primary action. */
  primary?: boolean;
}

/** Saves, or says why it cannot. It stays focusable when it cannot, so that the reason can be reached. */
export const SaveButton = memo(function SaveButton(props: SaveButtonProps) {
  const { issues, isDirty, isSaving, onSave, onSaveWithMessage, onSaveDraft, primary = false } = props;
  const { t } = useTranslation();
  const errors = issues.filter((issue) => issue.severity === 'error');
  const canSave = errors.length === 0 && isDirty;
  const button = (
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
  if (!onSaveWithMessage) return button;
  return (
    <Button.Group>
      {button}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant={primary && errors.length === 0 ? 'filled' : 'default'}
            px={8}
            aria-label={t('revisions.saveOptions')}
          >
            <IconChevronDown size={14} stroke={1.7} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!canSave || isSaving} onClick={onSaveWithMessage}>
            {t('revisions.saveWithMessage')}
          </Menu.Item>
          {onSaveDraft && (
            <Menu.Item disabled={!isDirty || isSaving} onClick={onSaveDraft}>
              {t('draftRevision.save')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
});

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

interface SaveNoteProps {
  status: SaveStatus;
  onTryNow: () => void;
  onStop: () => void;
}

/** Says that a save has not reached the server, and when it is sent again. */
export function SaveNote({ status, onTryNow, onStop }: SaveNoteProps) {
  const { t } = useTranslation();
  const now = useNow(status.is === 'waiting', 1000);
  if (status.is !== 'waiting') return null;
  const { retryAt, tries } = status;
  const seconds = retryAt === undefined ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000));
  return (
    <div className={saveNoteClasses.note} data-tone="warning" role="alert">
      <span>
        <strong>{t('save.unreachable')}</strong>{' '}
        {retryAt === undefined ? t('save.trying', { number: tries }) : t('save.waiting', { seconds })}
      </span>
      <span className={saveNoteClasses.actions}>
        <Button size="compact-sm" variant="default" onClick={onTryNow} disabled={retryAt === undefined}>
          {t('save.tryNow')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onStop}>
          {t('save.stop')}
        </Button>
      </span>
    </div>
  );
}
