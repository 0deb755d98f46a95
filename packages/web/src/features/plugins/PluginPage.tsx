import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconChevronRight, IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, Loading, Page } from '../../ui/index.ts';
import { PluginDocumentView } from './PluginDocumentView.tsx';
import { groupsOf, shortName } from './pluginElements.ts';
import styles from './plugins.module.css';
import { pluginDocumentQuery, pluginGroupsQuery, pluginVersionsQuery } from './queries.ts';

export function PluginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { cls, version } = useParams({ from: '/{-$tenant}/plugins/$cls/{-$version}' });
  const { data, error, refetch } = useQuery(pluginDocumentQuery(cls, version));
  const { data: known } = useQuery(pluginVersionsQuery(cls));
  const { data: groups = [] } = useQuery(pluginGroupsQuery());
  const family = groupsOf(groups, '').find(({ elements }) =>
    elements.some(({ types }) => types.includes(cls)),
  );
  return (
    <Page
      title={shortName(cls)}
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/plugins" search={{}}>
          {t('nav.plugins')}
        </Link>,
        ...(family ? [<span key="family">{family.plugin.title}</span>] : []),
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

/** All types by plugin, with the present one marked. */
function PluginContents({ current }: { current: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(pluginGroupsQuery());
  const list = useRef<HTMLElement>(null);
  const isListed = data !== undefined;
  // The list is as long as the catalogue: it opens at the type that the page shows.
  useEffect(() => {
    const link = isListed ? list.current?.querySelector<HTMLElement>(`[title="${current}"]`) : undefined;
    if (link && list.current) list.current.scrollTop = link.offsetTop - list.current.offsetTop - 120;
  }, [current, isListed]);
  return (
    <nav
      ref={list}
      className={styles.contents}
      aria-label={t('nav.plugins')}
      data-closed={!isOpen || undefined}
    >
      <Button
        variant="default"
        className={styles.open}
        leftSection={<IconMenu2 size={16} stroke={1.8} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('nav.plugins')}
      </Button>
      <TextInput
        size="xs"
        type="search"
        placeholder={t('filter.find')}
        aria-label={t('filter.find')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {groupsOf(data ?? [], typed).map(({ plugin, elements }) => {
        const types = elements.flatMap((one) => one.types);
        return (
          <details
            key={`${plugin.subGroup ?? plugin.group} ${typed === ''}`}
            open={typed !== '' || types.includes(current)}
          >
            <summary>
              <IconChevronRight size={14} stroke={2} aria-hidden="true" />
              {plugin.title}
            </summary>
            <ul>
              {types.map((cls) => (
                <li key={cls}>
                  <Link
                    to="/{-$tenant}/plugins/$cls/{-$version}"
                    params={{ cls, version: undefined }}
                    title={cls}
                    aria-current={cls === current ? 'page' : undefined}
                  >
                    {shortName(cls)}
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </nav>
  );
}
