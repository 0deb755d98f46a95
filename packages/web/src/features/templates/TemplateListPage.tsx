import { type Template, templates } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { callAsJob, trackJob } from '../../shell/notices/trackedJobs.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ImportButton } from '../../ui/ImportButton.tsx';
import {
  type Column,
  EmptyState,
  LinkButton,
  Page,
  ResourceList,
  type Selection,
  useListView,
  WarningIcon,
} from '../../ui/index.ts';
import { BulkDelete } from '../../ui/list/BulkActions.tsx';
import { ExportButton } from '../../ui/list/ExportButton.tsx';
import { useFilterFields } from '../listing/index.ts';
import { templatesQuery } from './queries.ts';
import { TemplateNotice } from './TemplateNotice.tsx';
import styles from './templates.module.css';

export function TemplateListPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useFilterFields('template', { prominent: ['namespace'] });
  const view = useListView({ fields, defaultSort: 'id:asc' });
  const query = useQuery(templatesQuery(view.query));
  const columns = useMemo<Column<Template>[]>(
    () => [
      {
        id: 'id',
        header: t('flow.id'),
        cell: ({ namespace, id, exception }) => (
          <span className={styles.marked}>
            <Link
              to="/{-$tenant}/templates/edit/$namespace/$id"
              params={{ namespace, id }}
              className={styles.id}
            >
              {id}
            </Link>
            {exception !== undefined && <WarningIcon label={exception} />}
          </span>
        ),
        sortField: 'id',
        identifies: true,
      },
      {
        id: 'namespace',
        header: t('flow.namespace'),
        cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
        sortField: 'namespace',
      },
      {
        id: 'description',
        header: t('flow.description'),
        cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
        hideBelow: 'md',
      },
    ],
    [t],
  );
  const create = (
    <LinkButton to="/{-$tenant}/templates/new" leftSection={<IconPlus size={16} />}>
      {t('template.create')}
    </LinkButton>
  );
  return (
    <Page
      title={t('nav.templates')}
      actions={
        <>
          <ImportTemplates />
          {create}
        </>
      }
    >
      <TemplateNotice />
      <ResourceList
        name="templates"
        label={t('nav.templates')}
        placeholder={t('template.search')}
        view={view}
        columns={columns}
        query={query}
        rowId={({ namespace, id }) => `${namespace}.${id}`}
        onOpen={({ namespace, id }) =>
          void navigate({ to: '/{-$tenant}/templates/edit/$namespace/$id', params: { namespace, id } })
        }
        bulkActions={(selection, clear) => (
          <TemplateBulkActions selection={selection} filters={view.filters} onDone={clear} />
        )}
        empty={
          <EmptyState
            illustration="wheel"
            title={t('template.none')}
            text={t('template.noneText')}
            action={create}
          />
        }
      />
    </Page>
  );
}

function ImportTemplates() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <ImportButton
      onImport={async (body) => {
        await call(templates.importTemplates, { body, failures: 'handled' });
        showSuccess(t('template.imported'));
        await client.invalidateQueries({ queryKey: ['templates'] });
      }}
    />
  );
}

interface TemplateBulkActionsProps {
  selection: Selection<Template>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

function TemplateBulkActions({ selection, filters, onDone }: TemplateBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const keys =
    selection.kind === 'rows' ? selection.rows.map(({ namespace, id }) => ({ namespace, id })) : [];
  const remove = async () => {
    const done =
      selection.kind === 'rows'
        ? await callAsJob(templates.deleteTemplatesByIds, { body: keys, failures: 'handled' })
        : await callAsJob(templates.deleteTemplatesByQuery, { query: { ...filters }, failures: 'handled' });
    const title = t('template.delete', { count: selection.count });
    if ('jobId' in done) trackJob({ id: done.jobId, title, changes: ['templates'] });
    else showSuccess(t('template.deleted', { count: done.reply.count }));
    await client.invalidateQueries({ queryKey: ['templates'] });
  };
  return (
    <>
      <ExportButton
        onExport={() =>
          selection.kind === 'rows'
            ? download(templates.exportTemplatesByIds, { body: keys }, 'templates.zip')
            : download(templates.exportTemplatesByQuery, { query: { ...filters } }, 'templates.zip')
        }
      />
      <BulkDelete
        title={t('template.delete', { count: selection.count })}
        text={t('template.deleteText')}
        act={remove}
        onDone={onDone}
      />
    </>
  );
}
