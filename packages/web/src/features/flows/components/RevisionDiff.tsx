import { type DiffLine, diffLines, pairLines } from '../lineDiff.ts';
import styles from './FlowRevisions.module.css';

interface RevisionDiffProps {
  before: string;
  after: string;
  view: 'inline' | 'split';
}

/** What changed from one source to the other, in one column or in two. */
export function RevisionDiff({ before, after, view }: RevisionDiffProps) {
  const lines = diffLines(before, after);
  if (view === 'inline')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and the keyboard must reach that.
      <pre className={styles.diff} tabIndex={0}>
        {lines.map((line) => (
          <div key={`${line.left ?? ''}:${line.right ?? ''}`} className={styles.line} data-kind={line.kind}>
            <span className={styles.number}>{line.left}</span>
            <span className={styles.number}>{line.right}</span>
            <Text line={line} />
          </div>
        ))}
      </pre>
    );
  const pairs = pairLines(lines);
  return (
    <div className={styles.split}>
      {(['left', 'right'] as const).map((side) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as above.
        <pre key={side} className={styles.diff} tabIndex={0}>
          {pairs.map((pair, row) => {
            const line = pair[side];
            return (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a comparison never move.
                key={row}
                className={styles.line}
                data-kind={line?.kind ?? 'nothing'}
              >
                <span className={styles.number}>{line?.[side]}</span>
                {line ? <Text line={line} /> : ' '}
              </div>
            );
          })}
        </pre>
      ))}
    </div>
  );
}

function Text({ line }: { line: DiffLine }) {
  return (
    <>
      <span className={styles.sign}>{{ same: ' ', removed: '−', added: '+' }[line.kind]}</span>
      {line.text || ' '}
    </>
  );
}
