import { useEffect, useState } from 'react';
import type { DocPage } from '../queries.ts';
import { DocMarkdown } from './DocMarkdown.tsx';

const firstLines = 50;
const restAfterMs = 50;

/** The first lines are there at once; the rest of a long page follows when they have been drawn. */
export function DocBody({ page }: { page: DocPage }) {
  const [complete, setComplete] = useState<DocPage>();
  const isShort = page.content.split('\n').length <= firstLines;
  useEffect(() => {
    const timer = setTimeout(() => setComplete(page), restAfterMs);
    return () => clearTimeout(timer);
  }, [page]);
  const isWhole = isShort || complete === page;
  return (
    <DocMarkdown text={isWhole ? page.content : page.content.split('\n').slice(0, firstLines).join('\n')} />
  );
}
