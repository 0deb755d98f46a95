import { useQuery } from '@tanstack/react-query';
import { useDocPlace } from '../DocContext.tsx';
import { type DocNode, toNodes } from '../docTree.ts';
import { docChildrenQuery } from '../queries.ts';

interface ChildTocProps {
  path?: string | undefined;
  maxDepth?: number | undefined;
}

/** The contents below this page as a list of lists. */
export function ChildToc({ path, maxDepth = Number.POSITIVE_INFINITY }: ChildTocProps) {
  const { version, page } = useDocPlace();
  const from = path ?? page.path;
  const { data } = useQuery(docChildrenQuery(version, from));
  return <Level nodes={toNodes(data ?? {}, from)} depthLeft={maxDepth} />;
}

function Level({ nodes, depthLeft }: { nodes: readonly DocNode[]; depthLeft: number }) {
  const { link } = useDocPlace();
  if (nodes.length === 0 || depthLeft <= 0) return null;
  return (
    <ul>
      {nodes.map(({ path, metadata, children }) => (
        <li key={path}>
          {link({ path, children: metadata.title })}
          <Level nodes={children} depthLeft={depthLeft - 1} />
        </li>
      ))}
    </ul>
  );
}
