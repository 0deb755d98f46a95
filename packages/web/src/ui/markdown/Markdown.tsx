import { Suspense } from 'react';
import { lazyPart } from '../lazyPart.tsx';
import styles from './Markdown.module.css';
import type { MarkdownViewProps } from './MarkdownView.tsx';

const View = lazyPart(() => import('./MarkdownView.tsx'), 'MarkdownView');

/** Fences around code, signs of headings, and what makes text bold or code. */
const marks = /^```.*$|^#+ |\*\*|`/gm;

/**
 * Text in Markdown: descriptions, news, messages. HTML inside it is not shown and links may only lead to pages, so it
 * may come from any user. The renderer loads when it is first wanted; until then its lines stand in, without the marks that
 * would make them look broken.
 */
export function Markdown(props: MarkdownViewProps) {
  return (
    <div className={styles.markdown} data-compact={props.compact || undefined}>
      <Suspense fallback={<p className={styles.plain}>{props.text.replace(marks, '')}</p>}>
        <View {...props} />
      </Suspense>
    </div>
  );
}
