import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { ErrorPage } from '../../../shell/ErrorPage.tsx';
import { Loading, Page } from '../../../ui/index.ts';
import { DocBody } from '../components/DocBody.tsx';
import { DocMenu } from '../components/DocMenu.tsx';
import { DocSearch } from '../components/DocSearch.tsx';
import { type DocPlace, DocPlaceProvider } from '../DocContext.tsx';
import { docChildrenQuery, docPageQuery } from '../queries.ts';
import styles from './DocPage.module.css';

/** The documentation on a page of its own, with its contents on the left. */
export function DocPage() {
  const { t } = useTranslation();
  const { version } = useConfiguration();
  const { _splat: path = '' } = useParams({ from: '/{-$tenant}/docs/$' });
  const { data: page, error } = useQuery(docPageQuery(version, path));
  const { data: tree = {} } = useQuery(docChildrenQuery(version));

  useEffect(() => {
    // The page arrives after its address; what the address points at must be looked for then.
    if (page && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [page]);

  if (error) return <ErrorPage code={404} route />;

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
              <DocMenu />
            </DocSearch>
          </aside>
          <article className={styles.article}>
            <div className={styles.text}>{page ? <DocBody page={page} /> : <Loading />}</div>
          </article>
        </div>
      </Page>
    </DocPlaceProvider>
  );
}
