import type { FilePreview } from '@millrace/contract';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import { FileRows } from './FileRows.tsx';
import styles from './files.module.css';

const PdfPages = lazy(() => import('./PdfPages.tsx').then((module) => ({ default: module.PdfPages })));

interface FileContentProps {
  preview: FilePreview;
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
