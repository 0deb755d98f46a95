import { Alert, Button, Select } from '@mantine/core';
import { executionFiles, type FilePreview as PreviewOfFile } from '@millrace/contract';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import { SideDialog } from '../../../ui/dialog/Dialog.tsx';
import { BrokenFile } from '../../../ui/ErrorBoundary.tsx';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import styles from './files.module.css';
import { encodings, fileNameOf, previewQuery, rowChoices } from './storageFile.ts';

interface FilePreviewProps {
  executionId: string;
  uri: string;
  onClose: () => void;
}

/** The beginning of a file, as rows, a picture, pages or text. */
export function FilePreview({ executionId, uri, onClose }: FilePreviewProps) {
  const { t } = useTranslation();
  const { preview: limits } = useConfiguration();
  const [maxRows, setMaxRows] = useState(limits.initial);
  const [encoding, setEncoding] = useState<string>(encodings[0]);
  const { data, error, refetch } = useQuery(previewQuery(executionId, uri, { maxRows, encoding }));
  const isWhole = data?.type === 'IMAGE' || data?.type === 'PDF';
  return (
    <SideDialog onClose={onClose} size="xl" title={fileNameOf(uri)}>
      <div className={styles.controls}>
        <Select
          label={t('preview.rows')}
          size="xs"
          data={[...new Set([...rowChoices(limits.max), maxRows])].sort((a, b) => a - b).map(String)}
          value={String(maxRows)}
          allowDeselect={false}
          disabled={isWhole}
          onChange={(rows) => setMaxRows(Number(rows))}
        />
        <Select
          label={t('preview.encoding')}
          size="xs"
          data={encodings}
          value={encoding}
          allowDeselect={false}
          disabled={isWhole}
          onChange={(next) => next && setEncoding(next)}
        />
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          href={urlOf(executionFiles.downloadExecutionFile, {
            params: { executionId },
            query: { path: uri },
          })}
          download={fileNameOf(uri)}
          onClick={checkedDownload}
        >
          {t('file.download')}
        </Button>
      </div>
      {data?.truncated && (
        <Alert variant="light" color="yellow" className={styles.cut ?? ''}>
          {isWhole ? t('preview.truncatedFile') : t('preview.truncated', { count: data.maxLine })}
        </Alert>
      )}
      {data && <FileContent preview={data} name={fileNameOf(uri)} />}
      {!data && (error ? <BrokenFile error={error} onRetry={() => void refetch()} /> : <Loading />)}
    </SideDialog>
  );
}

const PdfPages = lazyPart(() => import('./PdfPages.tsx'), 'PdfPages');

interface FileContentProps {
  preview: PreviewOfFile;
  name: string;
}

/** What the server read of a file, in the viewer of its type. */
export function FileContent({ preview: { type, content, extension }, name }: FileContentProps) {
  const { t } = useTranslation();
  if (typeof content !== 'string') return <FileRows rows={content} />;
  if (type === 'IMAGE') {
    const kind = extension === 'svg' ? 'svg+xml' : extension;
    return <img className={styles.image} src={`data:image/${kind};base64,${content}`} alt={name} />;
  }
  if (type === 'PDF') {
    return (
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <PdfPages base64={content} name={name} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (type === 'MARKDOWN') return <Markdown text={content} />;
  if (content === '') return <p className={styles.empty}>{t('preview.empty')}</p>;
  return (
    <CodeBlock>
      <code className={`language-${extension}`}>{content}</code>
    </CodeBlock>
  );
}

/** Rows of a file: a table of all their fields, or lines of text when they are no objects. */
function FileRows({ rows }: { rows: readonly unknown[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className={styles.empty}>{t('preview.empty')}</p>;
  if (!rows.every(isObject)) {
    return (
      <CodeBlock>
        <code className="language-json">{rows.map((row) => JSON.stringify(row)).join('\n')}</code>
      </CodeBlock>
    );
  }
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field}>{field}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no identity besides their place.
            <tr key={index}>
              {fields.map((field) => (
                <td key={field}>{textOf(row[field])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
