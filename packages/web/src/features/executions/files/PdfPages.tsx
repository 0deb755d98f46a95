import { Button } from '@mantine/core';
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import PdfWorker from 'pdfjs-dist/build/pdf.worker.mjs?worker';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState } from '../../../ui/index.ts';
import styles from './files.module.css';

interface PdfPagesProps {
  base64: string;
  name: string;
}

/** The pages of a PDF, one at a time. They are drawn here: what the browser would show runs the scripts in them. */
export function PdfPages({ base64, name }: PdfPagesProps) {
  const { t } = useTranslation();
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [problem, setProblem] = useState<string>();
  const [number, setNumber] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    GlobalWorkerOptions.workerPort ??= new PdfWorker();
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const loading = getDocument({ data, isEvalSupported: false });
    let isCurrent = true;
    loading.promise.then(
      (loaded) => isCurrent && setPdf(loaded),
      (error: unknown) => isCurrent && setProblem(wordsOf(error)),
    );
    return () => {
      isCurrent = false;
      void loading.destroy();
    };
  }, [base64]);

  useEffect(() => {
    const target = canvas.current;
    if (!pdf || !target) return;
    let isCurrent = true;
    let stop = () => {};
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (!isCurrent) return;
      const viewport = page.getViewport({ scale: scale * window.devicePixelRatio });
      Object.assign(target, { width: viewport.width, height: viewport.height });
      const drawing = page.render({ canvas: target, viewport });
      stop = () => drawing.cancel();
      await drawing.promise;
    };
    draw().catch((error: unknown) => isCurrent && setProblem(wordsOf(error)));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [pdf, number]);

  if (problem !== undefined)
    return (
      <div role="alert">
        <EmptyState illustration="closedGate" title={t('preview.pdfFailed')} detail={problem} />
      </div>
    );
  return (
    <div className={styles.pdf}>
      {pdf && (
        <nav className={styles.pages} aria-label={t('preview.pages')}>
          <Button
            size="compact-sm"
            variant="default"
            disabled={number <= 1}
            onClick={() => setNumber(number - 1)}
          >
            {t('preview.previous')}
          </Button>
          <span>{t('preview.page', { number, count: pdf.numPages })}</span>
          <Button
            size="compact-sm"
            variant="default"
            disabled={number >= pdf.numPages}
            onClick={() => setNumber(number + 1)}
          >
            {t('preview.next')}
          </Button>
        </nav>
      )}
      <canvas ref={canvas} className={styles.paper} role="img" aria-label={name} />
    </div>
  );
}

/** Of the size on paper: sharp in a drawer, small enough to draw at once. */
const scale = 1.5;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
