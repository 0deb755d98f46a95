import { Button } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { ErrorPage } from '../../shell/ErrorPage.tsx';
import { BrokenPart, Loading, Page } from '../../ui/index.ts';
import { DocBody } from './DocBody.tsx';
import { type DocPlace, DocPlaceProvider } from './DocContext.tsx';
import { DocMenu, DocSearch } from './DocMenu.tsx';
import styles from './DocPage.module.css';
import { docChildrenQuery, docPageQuery } from './queries.ts';

/** The documentation as a page, with its contents on the left. */
export function DocPage() {
  const { t } = useTranslation();
  const { version } = useConfiguration();
  const { _splat: path = '' } = useParams({ from: '/{-$tenant}/docs/$' });
  const hash = useLocation({ select: (location) => location.hash });
  const { data: page, error, refetch } = useQuery(docPageQuery(version, path));
  // On small screens the contents are shut, and shut again once a page was chosen.
  const [openAt, setOpenAt] = useState<string>();
  const { data: tree = {} } = useQuery(docChildrenQuery(version));

  if (error instanceof ApiError && error.status === 404) return <ErrorPage code={404} route />;
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;

  const place: DocPlace = {
    version,
    page: page ?? { path, isIndex: false },
    link: ({ path: target, hash = '', children, className }) => (
      <Link to="/{-$tenant}/docs/$" params={{ _splat: target }} hash={hash} className={className}>
        {children}
      </Link>
    ),
  };
  const parents = path.split('/').slice(0, -1);
  return (
    <DocPlaceProvider value={place}>
      <Page
        title={page?.title ?? t('context.docs')}
        layout="fill"
        breadcrumb={[
          <Link key="" to="/{-$tenant}/docs/$" params={{ _splat: '' }}>
            {t('context.docs')}
          </Link>,
          ...parents.map((_, index) => {
            const target = parents.slice(0, index + 1).join('/');
            return (
              <Link key={target} to="/{-$tenant}/docs/$" params={{ _splat: target }}>
                {tree[target]?.title ?? target}
              </Link>
            );
          }),
        ].slice(0, path === '' ? 0 : undefined)}
      >
        <div className={styles.columns}>
          <aside className={styles.contents}>
            <DocSearch>
              <Button
                variant="default"
                className={styles.menuButton}
                leftSection={<IconMenu2 size={16} stroke={1.8} />}
                aria-expanded={openAt === path}
                onClick={() => setOpenAt(openAt === path ? undefined : path)}
              >
                {t('docs.menu')}
              </Button>
              <div className={styles.menu} data-closed={openAt !== path || undefined}>
                <DocMenu />
              </div>
            </DocSearch>
          </aside>
          <article className={styles.article}>
            <div className={styles.text}>{page ? <DocBody page={page} at={hash} /> : <Loading />}</div>
          </article>
        </div>
      </Page>
    </DocPlaceProvider>
  );
}
