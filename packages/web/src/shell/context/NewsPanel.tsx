import { Button } from '@mantine/core';
import type { provider } from '@millrace/contract';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart } from '../../ui/ErrorBoundary.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { useConfiguration } from '../configuration.ts';
import panel from './ContextPanel.module.css';
import { feedsQuery, markSeen } from './feeds.ts';
import styles from './NewsPanel.module.css';

export function NewsPanel() {
  const { t } = useTranslation();
  const { data: feeds, error, refetch } = useQuery(feedsQuery(useConfiguration()));
  useEffect(() => {
    if (feeds) markSeen(feeds);
  }, [feeds]);
  return (
    <>
      <div className={panel.head}>
        <h2>{t('context.news')}</h2>
      </div>
      <div className={panel.body}>
        {!feeds && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
        {feeds?.length === 0 && (
          <EmptyState illustration="stillWater" title={t('news.none')} text={t('news.noneText')} />
        )}
        {feeds?.map((post) => (
          <Post key={post.id} post={post} />
        ))}
      </div>
    </>
  );
}

function Post({ post }: { post: provider.Feed }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const published = new Date(post.publicationDate);
  const text = `post-${post.id}`;
  return (
    <article className={styles.post}>
      {post.image && <img className={styles.image} src={post.image} alt="" loading="lazy" />}
      <h3 className={styles.title}>{post.title}</h3>
      <time className={styles.date} dateTime={post.publicationDate}>
        {new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(published)}
      </time>
      <div id={text} className={styles.text} data-open={isOpen || undefined}>
        <Markdown text={post.description} />
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          size="xs"
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={text}
        >
          {t(isOpen ? 'news.less' : 'news.more')}
        </Button>
        {post.href && (
          <Button
            component="a"
            variant="default"
            size="xs"
            href={post.href}
            target="_blank"
            rel="noopener noreferrer"
            rightSection={<IconExternalLink size={13} stroke={1.8} />}
          >
            {t('news.open')}
          </Button>
        )}
      </div>
    </article>
  );
}
