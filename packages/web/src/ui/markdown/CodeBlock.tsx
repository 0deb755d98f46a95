import { type ComponentProps, isValidElement, Suspense } from 'react';
import type { ExtraProps } from 'react-markdown';
import { lazyPart } from '../lazyPart.tsx';
import { CopyButton } from '../values/Id.tsx';
import styles from './CodeBlock.module.css';

const Diagram = lazyPart(() => import('./Diagram.tsx'), 'Diagram');
const Highlighted = lazyPart(() => import('./Highlighted.tsx'), 'Highlighted');

/** Code with its colours and a button that copies it. A block of the language `mermaid` is drawn instead. */
export function CodeBlock({ children }: ComponentProps<'pre'> & ExtraProps) {
  const { code, language } = readCode(children);
  const plain = (
    <pre className={styles.code}>
      <code>{code}</code>
    </pre>
  );
  if (language === 'mermaid')
    return (
      <Suspense fallback={plain}>
        <Diagram source={code} />
      </Suspense>
    );
  return (
    <div className={styles.block}>
      <Suspense fallback={plain}>
        <Highlighted code={code} language={language} />
      </Suspense>
      <span className={styles.copy}>
        <CopyButton value={code} />
      </span>
    </div>
  );
}

/** Markdown's code block is a `code` element whose class names its language. */
function readCode(children: unknown): { code: string; language: string } {
  if (!isValidElement<{ className?: string; children?: unknown }>(children))
    return { code: '', language: '' };
  const { className = '', children: text } = children.props;
  // `yaml{"title":"x"}` and similar notes behind the language are for other readers.
  const language = /language-([\w-]+)/.exec(className)?.[1] ?? '';
  return { code: String(text ?? '').replace(/\n$/, ''), language };
}
