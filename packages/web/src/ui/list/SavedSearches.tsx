import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { z } from 'zod';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import { Hint } from '../Hint.tsx';
import styles from './ListFilters.module.css';

export interface SavedSearchesProps {
  list: string;
  /** The present search; without criteria there is nothing to save. */
  criteria: Record<string, unknown>;
  onApply: (criteria: Record<string, unknown>) => void;
}

export function SavedSearches({ list, criteria, onApply }: SavedSearchesProps) {
  const { t } = useTranslation();
  const { saved, save, remove } = useSavedSearches(list);
  const [isNaming, setNaming] = useState(false);
  const canSave = Object.values(criteria).some((value) => value !== undefined);
  return (
    <>
      <Menu position="bottom-end" width={260} closeOnItemClick={false}>
        <Menu.Target>
          <Hint label={t('savedSearch.name')}>
            <ActionIcon variant="default" size={34} aria-label={t('savedSearch.name')}>
              <IconBookmark size={16} stroke={1.7} />
            </ActionIcon>
          </Hint>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.length === 0 && <Menu.Label>{t('savedSearch.none')}</Menu.Label>}
          {saved.map(({ label, criteria: kept }) => (
            <div key={label} className={styles.saved}>
              <Menu.Item closeMenuOnClick onClick={() => onApply(kept)}>
                <span className={styles.savedName}>{label}</span>
              </Menu.Item>
              <ActionIcon aria-label={t('savedSearch.delete', { label })} onClick={() => remove(label)}>
                <IconTrash size={15} stroke={1.7} />
              </ActionIcon>
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item closeMenuOnClick disabled={!canSave} onClick={() => setNaming(true)}>
            {t('savedSearch.save')}
          </Menu.Item>
          {!canSave && <Menu.Label>{t('savedSearch.empty')}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onSave={(label) => {
            save({ label, criteria });
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onSave }: { onClose: () => void; onSave: (label: string) => void }) {
  const { t } = useTranslation();
  const [label, setLabel] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (label.trim()) onSave(label.trim());
  };
  return (
    <Dialog onClose={onClose} title={t('savedSearch.saveTitle')}>
      <form className={styles.editor} onSubmit={submit} noValidate>
        <TextInput
          data-autofocus
          label={t('savedSearch.label')}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!label.trim()}>
          {t('action.save')}
        </Button>
      </form>
    </Dialog>
  );
}

const SavedSearch = z.object({ label: z.string().min(1), criteria: z.record(z.string(), z.unknown()) });
type SavedSearch = z.infer<typeof SavedSearch>;

/** The searches that were saved for one list, newest first. A second one with the same label replaces the first. */
function useSavedSearches(list: string) {
  const [saved, setSaved] = useState(() => read(list));
  const write = (next: SavedSearch[]) => {
    setSaved(next);
    writeStored(`saved__${list}`, next.length > 0 ? JSON.stringify(next) : undefined);
  };
  return {
    saved,
    save: (search: SavedSearch) => write([search, ...saved.filter(({ label }) => label !== search.label)]),
    remove: (label: string) => write(saved.filter((search) => search.label !== label)),
  };
}

function read(list: string): SavedSearch[] {
  try {
    return z.array(SavedSearch).parse(JSON.parse(readStored(`saved__${list}`) ?? '[]'));
  } catch {
    // A value that another program stored must not hide the list.
    return [];
  }
}
