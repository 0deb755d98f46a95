import type { blueprints } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  BrokenPart,
  EmptyState,
  ListFilters,
  Loading,
  NothingMatches,
  Page,
  Pager,
  useLastPage,
  useListView,
} from '../../ui/index.ts';
import { plainText } from '../../ui/markdown/plainText.ts';
import { Upsell } from '../../ui/page/Upsell.tsx';
import { PluginIcon } from '../topology/index.ts';
import styles from './blueprints.module.css';
import { blueprintsQuery, tagsQuery, tagWords } from './queries.ts';
import { UseBlueprint } from './UseBlueprint.tsx';

const noFields: never[] = [];

export function BlueprintListPage() {
  const { t } = useTranslation();
  const { kind, tab } = useParams({ from: '/{-$tenant}/blueprints/$kind/$tab' });
  const title = t(kind === 'dashboard' ? 'nav.dashboardBlueprints' : 'nav.flowBlueprints');
  return (
    <Page title={tab === 'custom' ? t('nav.customBlueprints') : title}>
      {tab === 'custom' ? (
        <Upsell title={t('blueprint.custom')} text={t('blueprint.customText')} />
      ) : (
        <BlueprintCards kind={kind} />
      )}
    </Page>
  );
}

function BlueprintCards({ kind }: { kind: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/{-$tenant}/blueprints/$kind/$tab' });
  const { selectedTag } = useSearch({ from: '/{-$tenant}/blueprints/$kind/$tab' });
  const view = useListView({ fields: noFields, defaultSort: 'title:asc' });
  const { q, page, size } = view;
  const { data, error, refetch } = useQuery(blueprintsQuery(kind, { q, tag: selectedTag, page, size }));
  useLastPage(view, data);
  const { data: tags = [] } = useQuery(tagsQuery(kind));
  const clear = () => void navigate({ search: {} });
  return (
    <>
      <ListFilters name={`blueprints-${kind}`} view={view} placeholder={t('blueprint.search')} />
      <nav className={styles.tags} aria-label={t('blueprint.tags')}>
        <TagLink id={undefined} name={t('blueprint.all')} active={selectedTag} />
        {tags.map(({ id, name }) => (
          <TagLink key={id} id={id} name={name} active={selectedTag} />
        ))}
      </nav>
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data?.total === 0 &&
        (q !== undefined || selectedTag !== undefined ? (
          <NothingMatches onClear={clear} />
        ) : (
          <EmptyState illustration="dryRace" title={t('blueprint.none')} text={t('blueprint.noneText')} />
        ))}
      <ul className={styles.cards}>
        {data?.results.map((blueprint) => (
          <li key={blueprint.id}>
            <BlueprintCard blueprint={blueprint} kind={kind} />
          </li>
        ))}
      </ul>
      {data && data.total > size && (
        <Pager page={page} size={size} total={data.total} onPage={view.setPage} onSize={view.setSize} />
      )}
    </>
  );
}

interface TagLinkProps {
  id: string | undefined;
  name: string;
  active: string | undefined;
}

const TagLink = ({ id, name, active }: TagLinkProps) => (
  <Link
    to="."
    search={(old) => ({ ...old, selectedTag: id, page: undefined })}
    className={styles.tag}
    data-active={id === active || undefined}
    aria-current={id === active ? 'true' : undefined}
  >
    {name}
  </Link>
);

const shownIcons = 6;

interface BlueprintCardProps {
  blueprint: blueprints.BlueprintItem;
  kind: string;
}

function BlueprintCard({ blueprint, kind }: BlueprintCardProps) {
  const { id, title, description, tags, includedTasks } = blueprint;
  return (
    <article className={styles.card}>
      <div className={styles.icons}>
        {includedTasks.slice(0, shownIcons).map((type) => (
          <span key={type} title={type}>
            <PluginIcon type={type} size={24} />
          </span>
        ))}
      </div>
      <h2>
        <Link
          to="/{-$tenant}/blueprints/$kind/$tab/$blueprintId"
          params={{ kind, tab: 'community', blueprintId: id }}
        >
          {title}
        </Link>
      </h2>
      {description && <p className={styles.about}>{plainText(description.split('\n', 1)[0] ?? '')}</p>}
      <div className={styles.foot}>
        <p className={styles.words}>{tags.map(tagWords).join(' · ')}</p>
        <UseBlueprint id={id} kind={kind} isQuiet />
      </div>
    </article>
  );
}
