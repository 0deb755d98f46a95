import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { provider } from '@millrace/contract';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/Loading.tsx';
import { plainText } from '../../ui/markdown/plainText.ts';
import { useDocPlace } from './DocContext.tsx';
import { DocIcon } from './DocIcon.tsx';
import styles from './DocMenu.module.css';
import { type DocTree, docChildrenQuery, docSearchQuery } from './queries.ts';

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

export interface DocNode {
  readonly path: string;
  readonly metadata: provider.DocMetadata;
  readonly children: readonly DocNode[];
}

/** The pages directly below a path, each with those below it. Pages that ask for it stay out of the menu. */
export function toNodes(tree: DocTree, parent = ''): DocNode[] {
  const prefix = parent === '' ? '' : `${parent}/`;
  return Object.entries(tree)
    .filter(([path, { hideSidebar }]) => isChild(path, prefix) && !hideSidebar)
    .map(([path, metadata]) => ({ path, metadata, children: toNodes(tree, path) }));
}

const isChild = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && path !== prefix && !path.slice(prefix.length).includes('/');

/** Newest version first: 0.10.0 before 0.9.1. */
export const byRelease = (a: string, b: string): number =>
  b.localeCompare(a, 'en', { numeric: true, sensitivity: 'base' });

const searchAfterMs = 150;

/** Finds pages by their words. While something is searched for, the hits stand in for what is given. */
export function DocSearch({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { version, link } = useDocPlace();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), searchAfterMs);
  const { data: hits } = useQuery({ ...docSearchQuery(version, q), placeholderData: keepPreviousData });
  const isSearching = text.trim() !== '';
  return (
    <>
      <TextInput
        type="search"
        className={styles.field}
        placeholder={t('docs.search')}
        aria-label={t('docs.search')}
        leftSection={<IconSearch size={15} stroke={1.8} />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isSearching && children}
      {isSearching && hits && (
        <ul className={styles.hits} aria-label={t('docs.hits')}>
          {hits.map(({ parsedUrl, title, excerpt }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is what is chosen; this only clears.
            <li key={parsedUrl} onClick={() => setText('')}>
              {link({
                path: parsedUrl,
                className: styles.hit ?? '',
                children: (
                  <>
                    <strong>{title}</strong>
                    <span>{plainText(excerpt)}</span>
                  </>
                ),
              })}
            </li>
          ))}
          {hits.length === 0 && q !== '' && <li className={styles.none}>{t('docs.noHits', { text: q })}</li>}
        </ul>
      )}
    </>
  );
}
