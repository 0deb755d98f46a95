import { useEffect, useRef, useState } from 'react';
import type { DocPage } from '../queries.ts';
import { DocMarkdown } from './DocMarkdown.tsx';

const firstLines = 50;
const restAfterMs = 50;

interface DocBodyProps {
  page: DocPage;
  /** The heading to begin at. */
  at?: string | undefined;
}

/** The first lines are there at once; the rest of a long page follows when they have been drawn. */
export function DocBody({ page, at }: DocBodyProps) {
  const [complete, setComplete] = useState<DocPage>();
  const isShort = page.content.split('\n').length <= firstLines;
  useEffect(() => {
    const timer = setTimeout(() => setComplete(page), restAfterMs);
    return () => clearTimeout(timer);
  }, [page]);
  const isWhole = isShort || complete === page;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A heading far down is there only when all of the page is.
    if (isWhole && page && at) body.current?.querySelector(`[id=${JSON.stringify(at)}]`)?.scrollIntoView();
  }, [isWhole, page, at]);
  return (
    <div ref={body}>
      <DocMarkdown text={isWhole ? page.content : page.content.split('\n').slice(0, firstLines).join('\n')} />
    </div>
  );
}
