import { Alert } from '@mantine/core';
import type { plugins } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, ListFilters, Loading, NothingMatches, Page, useListView } from '../../ui/index.ts';
import { IconImage } from '../topology/index.ts';
import { byCategory, countTypes, groupsOf, shortName } from './pluginElements.ts';
import styles from './plugins.module.css';
import { groupIconsQuery, pluginGroupsQuery } from './queries.ts';

const noFields: never[] = [];

/** Every plugin with its types, by category. */
export function PluginListPage() {
  const { t } = useTranslation();
  const view = useListView({ fields: noFields, defaultSort: 'title:asc' });
  const { data, error, refetch } = useQuery(pluginGroupsQuery());
  const { data: icons } = useQuery(groupIconsQuery());
  const groups = data && groupsOf(data, view.q);
  const categories = groups && byCategory(groups);
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
      {categories && categories.length > 1 && (
        <nav className={styles.jump} aria-label={t('nav.plugins')}>
          {categories.map(({ category }) => (
            <button key={category} type="button" onClick={() => scrollTo(category)}>
              {t(`plugin.category.${category}`)}
            </button>
          ))}
        </nav>
      )}
      {categories?.map(({ category, groups: inside }) => (
        <section key={category} aria-labelledby={`category-${category}`}>
          <h2 id={`category-${category}`} className={styles.category} tabIndex={-1}>
            {t(`plugin.category.${category}`)}
          </h2>
          <div className={styles.groups}>
            {inside.map((group) => (
              <PluginGroup key={group.plugin.subGroup ?? group.plugin.group} {...group} icons={icons} />
            ))}
          </div>
        </section>
      ))}
    </Page>
  );
}

/** Moves to the heading of a category, and the keyboard focus with it. */
function scrollTo(category: string): void {
  const heading = document.getElementById(`category-${category}`);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Plugins that are installed and could not be loaded, each with its reason: their types are missing below. */
function BrokenPlugins({ all }: { all: readonly plugins.Plugin[] }) {
  const { t } = useTranslation();
  return all.map(({ name, error }) =>
    error === undefined ? null : (
      <Alert
        key={name}
        variant="light"
        color="red"
        className={styles.broken ?? ''}
        title={t('plugin.broken', { name })}
      >
        <code>{error}</code>
      </Alert>
    ),
  );
}

type GroupProps = ReturnType<typeof groupsOf>[number] & {
  icons: Readonly<Record<string, plugins.PluginIcon>> | undefined;
};

/** One family or a part of it: its icon and its types. */
function PluginGroup({ plugin, elements, icons }: GroupProps) {
  const { t } = useTranslation();
  const icon = icons?.[plugin.subGroup ?? plugin.group] ?? icons?.[plugin.group];
  return (
    <section className={styles.group} aria-label={plugin.title}>
      <header>
        <IconImage icon={icons && (icon?.icon ?? null)} size={26} />
        <h3>{plugin.title}</h3>
      </header>
      {elements.map(({ kind, types }) => (
        <div key={kind}>
          <h4>{t(`plugin.kind.${kind}`)}</h4>
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
}
