import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrokenPart, ListFilters, Loading, NothingMatches, Page, useListView } from '../../../ui/index.ts';
import { IconImage } from '../../topology/index.ts';
import { BrokenPlugins } from '../components/BrokenPlugins.tsx';
import styles from '../components/plugins.module.css';
import { countTypes, groupsOf, shortName } from '../pluginElements.ts';
import { groupIconsQuery, pluginGroupsQuery } from '../queries.ts';

const noFields: never[] = [];

/** Every plugin with what it brings. */
export function PluginListPage() {
  const { t } = useTranslation();
  const view = useListView({ fields: noFields, defaultSort: 'title:asc' });
  const { data, error, refetch } = useQuery(pluginGroupsQuery());
  const { data: icons } = useQuery(groupIconsQuery());
  const groups = data && groupsOf(data, view.q);
  return (
    <Page title={t('nav.plugins')}>
      <ListFilters
        name="plugins"
        view={view}
        placeholder={data ? t('plugin.search', { count: countTypes(data) }) : t('filter.find')}
      />
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && <BrokenPlugins all={data} />}
      {groups?.length === 0 && <NothingMatches onClear={view.clear} />}
      <div className={styles.groups}>
        {groups?.map(({ plugin, elements }) => {
          const icon = icons?.[plugin.subGroup ?? plugin.group] ?? icons?.[plugin.group];
          return (
            <section key={plugin.subGroup ?? plugin.group} className={styles.group} aria-label={plugin.title}>
              <header>
                <IconImage icon={icons && (icon?.icon ?? null)} size={22} />
                <h2>{plugin.title}</h2>
              </header>
              {elements.map(({ kind, types }) => (
                <div key={kind}>
                  <h3>{t(`plugin.kind.${kind}`)}</h3>
                  <ul>
                    {types.map((cls) => (
                      <li key={cls}>
                        <Link
                          to="/{-$tenant}/plugins/$cls/{-$version}"
                          params={{ cls, version: undefined }}
                          title={cls}
                        >
                          {shortName(cls)}
                        </Link>
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </section>
          );
        })}
      </div>
    </Page>
  );
}
