import type { Flow } from '@millrace/contract';
import { splitMarks } from '../splitMarks.ts';
import { FlowLink } from './FlowLink.tsx';
import styles from './SourceHit.module.css';

/** A flow whose source matches, with the lines around each hit. The text stays text: only the marks are drawn. */
export function SourceHit({ flow, fragments }: { flow: Flow; fragments: readonly string[] }) {
  return (
    <article className={styles.hit}>
      <header className={styles.head}>
        <FlowLink namespace={flow.namespace} id={flow.id} tab="edit" className={styles.link}>
          <span className={styles.namespace}>{flow.namespace}</span> {flow.id}
        </FlowLink>
      </header>
      {fragments.map((fragment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fragments have no identity besides their place.
        <pre key={index} className={styles.fragment}>
          {splitMarks(fragment).map(({ text, isMarked }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
            isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </pre>
      ))}
    </article>
  );
}
