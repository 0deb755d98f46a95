import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconCopy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../ui/Hint.tsx';
import { useCopy } from '../../ui/Id.tsx';
import { BrokenPart, Loading, Pager, SearchInput } from '../../ui/index.ts';
import { CodeBlock } from '../../ui/markdown/CodeBlock.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import styles from './BlueprintBrowser.module.css';
import { blueprintQuery, blueprintsQuery } from './queries.ts';

/** Blueprints to read and to copy from, beside the text of a flow. */
export function BlueprintBrowser() {
  const [shown, setShown] = useState<string>();
  return (
    <div className={styles.browser}>
      {shown === undefined ? (
        <Hits onOpen={setShown} />
      ) : (
        <Detail id={shown} onBack={() => setShown(undefined)} />
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

function Detail({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(blueprintQuery('flow', id));
  return (
    <>
      <header className={styles.head}>
        <Hint label={t('blueprint.back')}>
          <ActionIcon size={28} aria-label={t('blueprint.back')} onClick={onBack}>
            <IconArrowLeft size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
        <strong>{data?.title}</strong>
      </header>
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data?.description && <Markdown text={data.description} />}
      {data && (
        <CodeBlock>
          <code className="language-yaml">{data.source}</code>
        </CodeBlock>
      )}
    </>
  );
}
