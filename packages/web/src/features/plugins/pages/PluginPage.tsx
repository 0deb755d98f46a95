import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrokenPart, Loading, Page } from '../../../ui/index.ts';
import { PluginContents } from '../components/PluginContents.tsx';
import { PluginDocumentView } from '../components/PluginDocumentView.tsx';
import styles from '../components/plugins.module.css';
import { shortName } from '../pluginElements.ts';
import { pluginDocumentQuery, pluginVersionsQuery } from '../queries.ts';

export function PluginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { cls, version } = useParams({ from: '/{-$tenant}/plugins/$cls/{-$version}' });
  const { data, error, refetch } = useQuery(pluginDocumentQuery(cls, version));
  const { data: known } = useQuery(pluginVersionsQuery(cls));
  return (
    <Page
      title={shortName(cls)}
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/plugins" search={{}}>
          {t('nav.plugins')}
        </Link>,
      ]}
      actions={
        known && known.versions.length > 1 ? (
          <NativeSelect
            aria-label={t('plugin.version')}
            data={known.versions}
            value={version ?? known.versions[0] ?? ''}
            onChange={(event) =>
              void navigate({
                to: '/{-$tenant}/plugins/$cls/{-$version}',
                params: { cls, version: event.currentTarget.value },
              })
            }
          />
        ) : undefined
      }
    >
      <div className={styles.view}>
        <PluginContents current={cls} />
        <div>
          {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
          {data && <PluginDocumentView cls={cls} document={data} />}
        </div>
      </div>
    </Page>
  );
}
