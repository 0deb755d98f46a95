import { useQuery } from '@tanstack/react-query';
import { useDocPlace } from '../DocContext.tsx';
import { byRelease } from '../docTree.ts';
import { docChildrenQuery } from '../queries.ts';
import styles from './widgets.module.css';

/** The pages below this one that are about a version, newest first. */
export function ReleaseList() {
  const { version, page, link } = useDocPlace();
  const { data } = useQuery(docChildrenQuery(version, page.path));
  const releases = Object.entries(data ?? {})
    .flatMap(([path, { release, title, description }]) =>
      release ? [{ path, release, title, description }] : [],
    )
    .sort((a, b) => byRelease(a.release, b.release));
  return (
    <ul className={styles.releases}>
      {releases.map(({ path, release, title, description }) => (
        <li key={path}>
          <span className={styles.release}>{release}</span>
          {link({ path, children: title })}
          <span className={styles.cardText}>{description}</span>
        </li>
      ))}
    </ul>
  );
}
