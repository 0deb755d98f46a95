import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { BrokenPart, CopyButton, Loading, Page } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PluginIcon } from '../topology/index.ts';
import styles from './blueprints.module.css';
import { blueprintGraphQuery, blueprintQuery, tagWords } from './queries.ts';
import { UseBlueprint } from './UseBlueprint.tsx';

const Topology = lazyPart(() => import('../topology/index.ts'), 'Topology');

export function BlueprintPage() {
  const { t } = useTranslation();
  const { kind, tab, blueprintId } = useParams({ from: '/{-$tenant}/blueprints/$kind/$tab/$blueprintId' });
  const { data, error, refetch } = useQuery(blueprintQuery(kind, blueprintId));
  const { data: graph } = useQuery(blueprintGraphQuery(kind, blueprintId));
  return (
    <Page
      title={data?.title ?? blueprintId}
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/blueprints/$kind/$tab" params={{ kind, tab }} search={{}}>
          {t('nav.blueprints')}
        </Link>,
      ]}
      actions={<UseBlueprint id={blueprintId} kind={kind} />}
    >
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && (
        <div className={styles.view}>
          {data.description && (
            <section className={`${styles.panel} ${styles.wide}`}>
              <div className={styles.text}>
                <p className={styles.words}>{data.tags.map(tagWords).join(' · ')}</p>
                <Markdown text={data.description} />
              </div>
            </section>
          )}
          <section className={`${styles.panel} ${graph ? '' : styles.wide}`}>
            <h2>
              {t('blueprint.source')} <CopyButton value={data.source} />
            </h2>
            <div className={styles.code}>
              <CodeEditor ariaLabel={t('blueprint.source')} language="yaml" value={data.source} readOnly />
            </div>
          </section>
          {graph && (
            <section className={styles.panel}>
              <h2>{t('blueprint.topology')}</h2>
              <div className={styles.graph}>
                <Suspense fallback={<Loading />}>
                  <Topology graph={graph} />
                </Suspense>
              </div>
            </section>
          )}
          <section className={`${styles.panel} ${styles.wide}`}>
            <h2>{t('blueprint.plugins')}</h2>
            <ul className={styles.types}>
              {data.includedTasks.map((type) => (
                <li key={type}>
                  <PluginIcon type={type} size={22} />
                  <Link to="/{-$tenant}/plugins/$cls/{-$version}" params={{ cls: type, version: undefined }}>
                    {type}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Page>
  );
}
