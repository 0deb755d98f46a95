import { ActionIcon } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, useStored, writeStored } from '../../storage/storage.ts';
import { confirm } from '../../ui/confirm/confirm.ts';
import styles from './bookmarks.module.css';

export function BookmarkRow({ bookmark }: { bookmark: Bookmark }) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const isHere = useRouterState({ select: (state) => bookmarkPath(state.location) === bookmark.path });
  const { path, label } = bookmark;

  if (isRenaming) {
    return (
      <li className={styles.row}>
        <RenameField
          label={label}
          onSave={(next) => {
            renameBookmark(path, next);
            setRenaming(false);
          }}
          onCancel={() => setRenaming(false)}
        />
      </li>
    );
  }

  const remove = async () => {
    const agreed = await confirm({
      title: t('bookmark.removeTitle'),
      body: t('bookmark.removeText', { label }),
      confirm: t('bookmark.remove'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) removeBookmark(path);
  };
  return (
    <li className={styles.row}>
      {/* The address was read from this router when the page was marked; its parts are not known by type. */}
      <Link to={path as '/'} className={styles.link} data-active={isHere || undefined} disabled={isHere}>
        {label}
      </Link>
      <span className={styles.actions}>
        <ActionIcon size={22} onClick={() => setRenaming(true)} aria-label={t('bookmark.rename', { label })}>
          <IconPencil size={14} stroke={1.7} />
        </ActionIcon>
        <ActionIcon size={22} onClick={() => void remove()} aria-label={t('bookmark.delete', { label })}>
          <IconTrash size={14} stroke={1.7} />
        </ActionIcon>
      </span>
    </li>
  );
}

interface RenameFieldProps {
  label: string;
  onSave: (label: string) => void;
  onCancel: () => void;
}

/** Enter or the tick saves, Escape leaves the name as it was. */
function RenameField({ label, onSave, onCancel }: RenameFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(label);
  const save = () => (text.trim() === '' ? onCancel() : onSave(text.trim()));
  return (
    <>
      <input
        className={styles.input}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') onCancel();
        }}
        ref={selectAll}
        aria-label={t('bookmark.name')}
      />
      <ActionIcon size={22} onClick={save} aria-label={t('action.save')}>
        <IconCheck size={14} stroke={1.9} />
      </ActionIcon>
    </>
  );
}

const selectAll = (input: HTMLInputElement | null) => {
  input?.focus();
  input?.select();
};

/** A page to come back to. `path` is its address with its filters, without the page number of a list. */
const Bookmark = z.object({ path: z.string(), label: z.string() });
type Bookmark = z.infer<typeof Bookmark>;
const Bookmarks = z.array(Bookmark);

export function useBookmarks(): readonly Bookmark[] {
  const stored = useStored('bookmarks');
  return useMemo(() => parse(stored), [stored]);
}

/** A path that is marked already keeps its label. */
export function addBookmark(bookmark: Bookmark): void {
  const all = parse(readStored('bookmarks'));
  if (!all.some(({ path }) => path === bookmark.path)) write([...all, bookmark]);
}

export function removeBookmark(path: string): void {
  write(parse(readStored('bookmarks')).filter((one) => one.path !== path));
}

function renameBookmark(path: string, label: string): void {
  write(parse(readStored('bookmarks')).map((one) => (one.path === path ? { path, label } : one)));
}

/** The address without what belongs to this visit only. */
export function bookmarkPath({ pathname, searchStr }: { pathname: string; searchStr: string }): string {
  const query = new URLSearchParams(searchStr);
  query.delete('page');
  query.delete('showDocId');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

function write(all: readonly Bookmark[]): void {
  writeStored('bookmarks', all.length > 0 ? JSON.stringify(all) : undefined);
}

function parse(stored: string | undefined): readonly Bookmark[] {
  if (stored === undefined) return [];
  try {
    return Bookmarks.parse(JSON.parse(stored));
  } catch {
    // Written by something else: an unreadable list is no list.
    return [];
  }
}
