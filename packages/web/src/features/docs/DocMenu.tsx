import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useDocPlace } from './DocContext.tsx';
import { DocIcon } from './DocIcon.tsx';
import styles from './DocMenu.module.css';
import { type DocNode, toNodes } from './docTree.ts';
import { docChildrenQuery } from './queries.ts';

/** The four parts of the documentation, in this order. */
const sections = ['get-started', 'build', 'scale', 'manage'] as const;

/** The table of contents: an accordion whose parts are accordions again. */
export function DocMenu() {
  const { t } = useTranslation();
  const { version } = useDocPlace();
  const { data, isPending } = useQuery(docChildrenQuery(version));
  if (isPending) return <Loading />;
  const nodes = toNodes(data ?? {});
  return (
    <nav className={styles.menu} aria-label={t('docs.menu')}>
      {sections.map((section) => {
        const node = nodes.find(({ path }) => path === section);
        return node && <Section key={section} node={node} title={t(`docs.section.${section}`)} />;
      })}
    </nav>
  );
}

function Section({ node, title }: { node: DocNode; title: string }) {
  return (
    <div className={styles.section}>
      <h3>
        <DocIcon name={node.metadata.icon} size={16} />
        {title}
      </h3>
      <Level nodes={node.children} />
    </div>
  );
}

function Level({ nodes }: { nodes: readonly DocNode[] }) {
  return (
    <ul className={styles.level}>
      {nodes.map((node) => (
        <Branch key={node.path} node={node} />
      ))}
    </ul>
  );
}

function Branch({ node }: { node: DocNode }) {
  const { t } = useTranslation();
  const { page, link } = useDocPlace();
  const isInside = page.path === node.path || page.path.startsWith(`${node.path}/`);
  const [isOpen, setOpen] = useState(isInside);
  const { title } = node.metadata;
  return (
    <li>
      <div className={styles.row} data-here={page.path === node.path || undefined}>
        {link({ path: node.path, className: styles.link ?? '', children: title })}
        {node.children.length > 0 && (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-label={t('docs.pagesBelow', { title })}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
          </button>
        )}
      </div>
      {isOpen && node.children.length > 0 && <Level nodes={node.children} />}
    </li>
  );
}
