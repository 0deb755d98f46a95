import { Button } from '@mantine/core';
import { templates } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { Page } from '../../ui/index.ts';
import { TemplateNotice } from './TemplateNotice.tsx';
import styles from './templates.module.css';

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
