import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, Loading, Pager, SearchInput } from '../../ui/index.ts';
import { useCopy } from '../../ui/values/Id.tsx';
import styles from './BlueprintBrowser.module.css';
import { BlueprintDetail, type BlueprintTarget } from './BlueprintDetail.tsx';
import { blueprintQuery, blueprintsQuery } from './queries.ts';

/** Blueprints to read, fill in, and insert or copy, beside the text of a flow. */
export function BlueprintBrowser({ target }: { target?: BlueprintTarget | undefined }) {
  const [shown, setShown] = useState<string>();
  return (
    <div className={styles.browser}>
      {shown === undefined ? (
        <Hits onOpen={setShown} />
      ) : (
        <BlueprintDetail key={shown} id={shown} target={target} onBack={() => setShown(undefined)} />
      )}
    </div>
  );
}

const firstSize = 10;

function Hits({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { copied, copy } = useCopy();
  const [q, setQ] = useState<string>();
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(firstSize);
  const [last, setLast] = useState<string>();
  const { data, error, refetch } = useQuery(blueprintsQuery('flow', { q, tag: undefined, page, size }));
  const copySource = async (id: string) => {
    const { source } = await client.fetchQuery(blueprintQuery('flow', id));
    setLast(id);
    await copy(source);
  };
  return (
    <>
      <SearchInput
        value={q}
        placeholder={t('blueprint.search')}
        onChange={(next) => {
          setQ(next);
          setPage(1);
        }}
      />
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data?.total === 0 && <p className={styles.quiet}>{t('filter.nothing')}</p>}
      <ul className={styles.hits}>
        {data?.results.map(({ id, title, tags }) => (
          <li key={id} className={styles.hit}>
            <button type="button" className={styles.title} onClick={() => onOpen(id)}>
              <span>{title}</span>
              <span className={styles.quiet}>{tags.join(' · ')}</span>
            </button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconCopy size={13} stroke={1.7} />}
              aria-label={t('blueprint.copy', { title })}
              onClick={() => void copySource(id).catch(() => {})} // The failed call has been shown.
            >
              {t(copied && last === id ? 'copied' : 'copy')}
            </Button>
          </li>
        ))}
      </ul>
      {data && data.total > size && (
        <Pager page={page} size={size} total={data.total} onPage={setPage} onSize={setSize} />
      )}
    </>
  );
}
