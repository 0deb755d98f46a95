import { Button } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { useDocPlace } from './DocContext.tsx';
import { DocIcon } from './DocIcon.tsx';
import { byRelease, type DocNode, toNodes } from './DocMenu.tsx';
import { docChildrenQuery, resourceUrl } from './queries.ts';
import styles from './widgets/widgets.module.css';

const ApiViewer = lazyPart(() => import('./ApiViewer.tsx'), 'ApiViewer');

interface DocWidgetProps {
  name: WidgetName;
  kind?: string;
  spec?: string;
  max?: string;
  title?: string;
  path?: string;
  children?: ReactNode;
}

/** What a directive of a page shows. */
export function DocWidget({ name, kind, spec, max, title, path, children }: DocWidgetProps) {
  switch (name) {
    case 'child-card':
      return <ChildCards path={path} />;
    case 'child-toc':
      return <ChildToc path={path} maxDepth={Number(max) || undefined} />;
    case 'release-list':
      return <ReleaseList />;
    case 'logo-pack':
      return <LogoPack />;
    case 'swagger':
      return (
        <Suspense fallback={<Loading />}>
          <ApiViewer spec={spec === 'enterprise' ? 'enterprise' : 'oss'} />
        </Suspense>
      );
    case 'alert':
      return <Alert kind={kind}>{children}</Alert>;
    case 'collapse':
      return (
        <details>
          <summary>{title}</summary>
          {children}
        </details>
      );
  }
}

/** A remark that must not be overlooked. */
function Alert({ kind = 'info', children }: { kind?: string | undefined; children: ReactNode }) {
  const Icon = kind === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div
      className={styles.alert}
      data-kind={kind === 'info' ? 'info' : kind === 'danger' ? 'danger' : 'warning'}
    >
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}

/** One card for each page directly below this one. */
function ChildCards({ path }: { path?: string | undefined }) {
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

interface ChildTocProps {
  path?: string | undefined;
  maxDepth?: number | undefined;
}

/** The contents below this page as a list of lists. */
function ChildToc({ path, maxDepth = Number.POSITIVE_INFINITY }: ChildTocProps) {
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

const logos = ['mark', 'mark-dark', 'wordmark', 'wordmark-dark'] as const;

/** The files of the logo, to look at and to take along. */
function LogoPack() {
  const { t } = useTranslation();
  const { version } = useDocPlace();
  return (
    <div className={styles.logos}>
      {logos.map((name) => (
        <figure key={name} className={styles.logo} data-dark={name.endsWith('-dark') || undefined}>
          <img src={resourceUrl(version, `${name}.svg`)} alt={t(`docs.logo.${name}`)} />
        </figure>
      ))}
      <Button
        component="a"
        href={resourceUrl(version, 'millrace-logos.zip')}
        download="millrace-logos.zip"
        leftSection={<IconDownload size={16} stroke={1.8} />}
      >
        {t('docs.logo.download')}
      </Button>
    </div>
  );
}

/** The pages below this one that are about a version, newest first. */
function ReleaseList() {
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

/** The part of a Markdown tree that matters here; the parser's own types are those of packages we do not use directly. */
interface Node {
  type: string;
  name?: string;
  value?: string;
  attributes?: Record<string, string | null | undefined> | null;
  children?: Node[];
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

/** What pages may embed: `::child-card{}` on a separate line, or `:::alert{type="info"}` around text. */
const widgetNames = [
  'child-card',
  'child-toc',
  'release-list',
  'logo-pack',
  'swagger',
  'alert',
  'collapse',
] as const;
type WidgetName = (typeof widgetNames)[number];

const isWidget = (name: string | undefined): name is WidgetName =>
  widgetNames.some((known) => known === name);

/**
 * A Markdown plugin: directives become widgets, and what only looks like one, as the `:30` of 12:30, becomes the text
 * it was.
 */
export function toWidgets() {
  return (tree: object): void => visit(tree as Node);
}

function visit(node: Node): void {
  if (node.type === 'textDirective') restoreText(node);
  else if ((node.type === 'leafDirective' || node.type === 'containerDirective') && isWidget(node.name))
    node.data = { hName: 'doc-widget', hProperties: { name: node.name, ...readAttributes(node) } };
  for (const child of node.children ?? []) visit(child);
}

function restoreText(node: Node): void {
  const label = node.children ?? [];
  const children: Node[] = [{ type: 'text', value: `:${node.name}` }];
  if (label.length > 0) children.push({ type: 'text', value: '[' }, ...label, { type: 'text', value: ']' });
  node.data = { hName: 'span' };
  node.children = children;
}

/** Only what the widgets read: an attribute must not become one of the element by its name. */
function readAttributes({ attributes }: Node): Record<string, string> {
  const { type, spec, max, title, path } = attributes ?? {};
  const known = { kind: type, spec, max, title, path };
  return Object.fromEntries(Object.entries(known).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
