import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { plainText } from '../../ui/markdown/plainText.ts';
import { useDocPlace } from './DocContext.tsx';
import styles from './DocSearch.module.css';
import { docSearchQuery } from './queries.ts';

const searchAfterMs = 150;

/** Finds pages by their words. While something is searched for, the hits stand in for what is given. */
export function DocSearch({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { version, link } = useDocPlace();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), searchAfterMs);
  const { data: hits } = useQuery({ ...docSearchQuery(version, q), placeholderData: keepPreviousData });
  const isSearching = text.trim() !== '';
  return (
    <>
      <TextInput
        type="search"
        className={styles.field}
        placeholder={t('docs.search')}
        aria-label={t('docs.search')}
        leftSection={<IconSearch size={15} stroke={1.8} />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isSearching && children}
      {isSearching && hits && (
        <ul className={styles.hits} aria-label={t('docs.hits')}>
          {hits.map(({ parsedUrl, title, excerpt }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is what is chosen; this only clears.
            <li key={parsedUrl} onClick={() => setText('')}>
              {link({
                path: parsedUrl,
                className: styles.hit ?? '',
                children: (
                  <>
                    <strong>{title}</strong>
                    <span>{plainText(excerpt)}</span>
                  </>
                ),
              })}
            </li>
          ))}
          {hits.length === 0 && q !== '' && <li className={styles.none}>{t('docs.noHits', { text: q })}</li>}
        </ul>
      )}
    </>
  );
}
