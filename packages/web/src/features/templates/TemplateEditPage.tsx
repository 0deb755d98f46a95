import { Button } from '@mantine/core';
import { type Template, templates } from '@millrace/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { BrokenPart, confirm, Loading, Page } from '../../ui/index.ts';
import { sourceOf, templateQuery } from './queries.ts';
import { TemplateNotice } from './TemplateNotice.tsx';
import styles from './templates.module.css';

export function TemplateEditPage() {
  const { namespace, id } = useParams({ from: '/{-$tenant}/templates/edit/$namespace/$id' });
  const { data, error, refetch } = useQuery({
    ...templateQuery(namespace, id),
    refetchOnWindowFocus: false,
  });
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <Editor key={`${namespace}.${id}`} template={data} />;
}

function Editor({ template }: { template: Template }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { namespace, id } = template;
  const saved = sourceOf(template);
  const [source, setSource] = useState(saved);
  const isGone = useRef(false);
  const isDirty = source !== saved;
  useUnsavedGuard(
    () => isDirty && !isGone.current,
    () => setSource(saved),
  );
  const saving = useMutation({
    mutationFn: () => call(templates.updateTemplate, { params: { namespace, id }, body: source }),
    onSuccess: async (changed) => {
      client.setQueryData(templateQuery(namespace, id).queryKey, changed);
      setSource(sourceOf(changed));
      showSuccess(t('template.saved', { id }));
      await client.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  const save = () => isDirty && !saving.isPending && saving.mutate();
  const remove = async () => {
    const agreed = await confirm({
      title: t('template.delete', { count: 1 }),
      body: t('template.deleteText'),
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (!agreed) return;
    await call(templates.deleteTemplate, { params: { namespace, id } });
    isGone.current = true;
    showSuccess(t('template.deleted', { count: 1 }));
    await client.invalidateQueries({ queryKey: ['templates'] });
    await navigate({ to: '/{-$tenant}/templates', search: {} });
  };
  return (
    <Page
      title={id}
      layout="fill"
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/templates" search={{}}>
          {t('nav.templates')}
        </Link>,
        <Link key="namespace" to="/{-$tenant}/templates" search={{ namespace }}>
          {namespace}
        </Link>,
      ]}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            onClick={() => void remove().catch(() => {})} // The failure has been shown already.
          >
            {t('action.delete')}
          </Button>
          <Button disabled={!isDirty} loading={saving.isPending} onClick={save}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <TemplateNotice />
      <div className={styles.editor}>
        <CodeEditor
          ariaLabel={t('template.source')}
          language="yaml"
          path={`${id}.template.yaml`}
          value={source}
          onChange={setSource}
          onSave={save}
        />
      </div>
    </Page>
  );
}

export function TemplateCreatePage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [source, setSource] = useState(exampleTemplate);
  const isSaved = useRef(false);
  useUnsavedGuard(
    () => source !== exampleTemplate && !isSaved.current,
    () => setSource(exampleTemplate),
  );
  const saving = useMutation({
    mutationFn: () => call(templates.createTemplate, { body: source }),
    onSuccess: async ({ namespace, id }) => {
      isSaved.current = true;
      showSuccess(t('template.saved', { id }));
      await client.invalidateQueries({ queryKey: ['templates'] });
      await navigate({ to: '/{-$tenant}/templates/edit/$namespace/$id', params: { namespace, id } });
    },
  });
  const save = () => source.trim() !== '' && !saving.isPending && saving.mutate();
  return (
    <Page
      title={t('template.create')}
      layout="fill"
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/templates" search={{}}>
          {t('nav.templates')}
        </Link>,
      ]}
      actions={
        <Button disabled={source.trim() === ''} loading={saving.isPending} onClick={save}>
          {t('action.save')}
        </Button>
      }
    >
      <TemplateNotice />
      <div className={styles.editor}>
        <CodeEditor
          ariaLabel={t('template.source')}
          language="yaml"
          path="new.template.yaml"
          value={source}
          onChange={setSource}
          onSave={save}
        />
      </div>
    </Page>
  );
}

/** What a new template starts from. */
const exampleTemplate = `id: my_template
namespace: company.team

tasks:
  - id: hello
    type: core.log.Log
    message: Hello from a template
`;
