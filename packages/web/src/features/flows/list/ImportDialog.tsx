import { Button } from '@mantine/core';
import { flowTransfer } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { reportProblem } from '../../../state/problems.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import dialog from '../../../ui/dialog/DialogForm.module.css';
import { ChangeList, compareFlows } from '../revisions/ChangeList.tsx';
import { RevisionDiff } from '../revisions/RevisionDiff.tsx';
import styles from './ImportDialog.module.css';

type Preview = flowTransfer.ImportPreview;

interface ImportDialogProps {
  upload: FormData;
  previews: readonly Preview[];
  onClose: () => void;
}

/** Documents that need a decision come first. */
const order = ['REFUSED', 'DISABLED', 'UPDATE', 'CREATE', 'NONE'] as const;

/** Lists what an import would do with each document and why it refuses some; the rest is imported on request. */
export function ImportDialog({ upload, previews, onClose }: ImportDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const importing = useMutation({
    // Documents that cannot be flows are left out, as the list says; flows without their plugin are kept.
    mutationFn: () =>
      call(flowTransfer.importFlows, {
        body: upload,
        query: { failOnError: false, keepUnknownTypes: true },
        failures: 'handled',
      }),
    onSuccess: async () => {
      showSuccess(t('flowAction.imported'));
      onClose();
      await Promise.all(['flows', 'namespaces'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
    onError: (error) => reportProblem(error, t('flowAction.importFailed')),
  });
  const sorted = previews.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
  const count = previews.filter(({ change }) => change !== 'REFUSED' && change !== 'NONE').length;
  return (
    <Dialog onClose={onClose} title={t('importPreview.title')} size="lg">
      <div className={dialog.form}>
        <ul className={styles.documents}>
          {sorted.map((preview, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and an archive may name a document twice.
            <ImportedDocument key={index} preview={preview} />
          ))}
        </ul>
        <div className={dialog.foot}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            data-autofocus
            disabled={count === 0}
            loading={importing.isPending}
            onClick={() => importing.mutate()}
          >
            {t('importPreview.confirm', { count })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function ImportedDocument({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const { document, namespace, flowId, change, revision, problems, texts } = preview;
  /** The server names a document of a file by its place, from zero, and a file of an archive by its path. */
  const name = /^\d+$/.test(document)
    ? t('flowAction.refusedDocument', { number: Number(document) + 1 })
    : document;
  return (
    <li className={styles.document}>
      <div className={styles.head}>
        <span className={styles.name}>{flowId ? `${namespace}.${flowId}` : name}</span>
        <span className={styles.change} data-change={change}>
          {t(`importPreview.${change}`, { revision, next: (revision ?? 0) + 1 })}
        </span>
      </div>
      {flowId && <div className={styles.origin}>{name}</div>}
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.map(({ message, line }) => (
            <li key={`${line}${message}`}>
              {line !== undefined && <b>{t('flow.line', { line })}</b>} {message}
            </li>
          ))}
        </ul>
      )}
      {texts && <ChangesInside {...texts} />}
    </li>
  );
}

/** The changes of a flow in words, and of any text line by line on request. */
function ChangesInside({ before, after }: NonNullable<Preview['texts']>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const flows = useMemo(() => compareFlows(before, after), [before, after]);
  return (
    <div className={styles.inside}>
      {flows && <ChangeList changes={flows.changes} before={before} current={after} />}
      <Button
        size="compact-xs"
        variant="subtle"
        className={styles.toggle ?? ''}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'importPreview.hideDiff' : 'importPreview.showDiff')}
      </Button>
      {isOpen && <RevisionDiff before={before} after={after} view="inline" isPreview />}
    </div>
  );
}
