import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../ui/Hint.tsx';
import styles from './BookmarkStar.module.css';
import { addBookmark, bookmarkPath, removeBookmark, useBookmarks } from './bookmarks.ts';

/** Beside the title of every page: keeps the page, with its filters, in the sidebar. */
export function BookmarkStar({ label }: { label: string }) {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => bookmarkPath(state.location) });
  const isMarked = useBookmarks().some((bookmark) => bookmark.path === path);
  const action = t(isMarked ? 'bookmark.remove' : 'bookmark.add');
  return (
    <Hint label={action}>
      <ActionIcon
        className={styles.star}
        size={26}
        onClick={() => (isMarked ? removeBookmark(path) : addBookmark({ path, label }))}
        aria-label={action}
        aria-pressed={isMarked}
      >
        {isMarked ? <IconStarFilled size={15} /> : <IconStar size={15} stroke={1.7} />}
      </ActionIcon>
    </Hint>
  );
}
