import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../../storage/storage.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Loading } from '../../../ui/index.ts';
import { PluginIcon } from '../../topology/index.ts';
import { type OfferedType, rankTypes, withRecent } from './rankTypes.ts';
import styles from './TypePalette.module.css';

interface TypePaletteProps {
  readonly title: string;
  /** Undefined while they load. */
  readonly types: ReadonlyMap<string, string> | undefined;
  onChoose(type: string): void;
  onClose(): void;
}

/** Chooses the type of a new task with a few keys: words narrow the list, arrows move, Enter takes. */
export function TypePalette({ title, types, onChoose, onClose }: TypePaletteProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [stored] = useState(readRecent);
  // Not deferred: Enter must take an entry for the words that stand in the field.
  const { recent, others } = useMemo(() => rankTypes(types ?? none, words, stored), [types, words, stored]);
  const all = [...recent, ...others];
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);
  const choose = (type: string) => {
    writeStored('recentTypes', withRecent(readRecent(), type).join(','));
    onChoose(type);
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const row = ({ type, title: about }: OfferedType, index: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works in the text field above the list.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      key={type}
      id={optionId(index)}
      role="option"
      aria-selected={index === at}
      data-index={index}
      className={styles.option}
      onPointerMove={() => setAt(index)}
      onClick={() => choose(type)}
    >
      <PluginIcon type={type} size={22} />
      <span className={styles.names}>
        <span className={styles.type}>{type}</span>
        <span className={styles.about}>{about}</span>
      </span>
    </div>
  );
  return (
    <Dialog onClose={onClose} title={title} size="lg" yOffset="8vh" returnFocus={false}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={all.length > 0 ? optionId(at) : undefined}
        aria-label={t('graphEditor.searchTypes')}
        placeholder={t('graphEditor.searchTypes')}
        leftSection={<IconSearch size={15} />}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const last = Math.max(0, all.length - 1);
          if (event.key === 'ArrowDown') setAt(Math.min(last, at + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
          else if (event.key === 'Enter') {
            const chosen = all[at];
            if (chosen) choose(chosen.type);
          } else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label={title} className={styles.list}>
        {recent.length > 0 && <p className={styles.group}>{t('graphEditor.recent')}</p>}
        {recent.map((type, index) => row(type, index))}
        {recent.length > 0 && others.length > 0 && (
          <p className={styles.group}>{t('graphEditor.allTypes')}</p>
        )}
        {others.map((type, index) => row(type, recent.length + index))}
        {!types && <Loading />}
        {types && all.length === 0 && <p className={styles.none}>{t('form.noType')}</p>}
      </div>
    </Dialog>
  );
}

const none: ReadonlyMap<string, string> = new Map();

const readRecent = (): string[] => (readStored('recentTypes') ?? '').split(',').filter(Boolean);
