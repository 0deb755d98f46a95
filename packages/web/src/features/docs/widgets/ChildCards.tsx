import { useQuery } from '@tanstack/react-query';
import { DocIcon } from '../components/DocIcon.tsx';
import { useDocPlace } from '../DocContext.tsx';
import { toNodes } from '../docTree.ts';
import { docChildrenQuery } from '../queries.ts';
import styles from './widgets.module.css';

/** One card for each page directly below this one. */
export function ChildCards({ path }: { path?: string | undefined }) {
  const { version, page, link } = useDocPlace();
  const from = path ?? page.path;
  const { data } = useQuery(docChildrenQuery(version, from));
  return (
    <div className={styles.cards}>
      {toNodes(data ?? {}, from).map(({ path, metadata }) => (
        <div key={path} className={styles.card}>
          {link({
            path,
            className: styles.cardLink ?? '',
            children: (
              <>
                <DocIcon name={metadata.icon} />
                <span className={styles.cardTitle}>{metadata.title}</span>
                <span className={styles.cardText}>{metadata.description}</span>
              </>
            ),
          })}
        </div>
      ))}
    </div>
  );
}
