import { createContext, Fragment, isValidElement, type ReactNode, use, useEffect } from 'react';
import styles from './Page.module.css';

interface Chrome {
  /** Shown before the title on every page. */
  leading?: ReactNode;
  /** Shown before the page's own actions on every page. */
  trailing?: ReactNode;
  /** What follows the page's title in the browser's tab. */
  titleSuffix?: string;
  /** Shown beside the title of every page that can be returned to, given the name it would be kept under. */
  star?: (label: string) => ReactNode;
}

const ChromeContext = createContext<Chrome>({});

/** What surrounds every page; the shell provides it, so that pages need not know the shell. */
export function PageChrome({ children, ...chrome }: Chrome & { children: ReactNode }) {
  return <ChromeContext value={chrome}>{children}</ChromeContext>;
}

interface PageProps {
  title: string;
  /** For titles that are identifiers. */
  isCode?: boolean;
  /** Beside the title: a pill or a small mark. */
  badge?: ReactNode;
  /** Links that lead here, outermost first. */
  breadcrumb?: ReactNode[];
  /** Quieter actions first, the one primary action last. */
  actions?: ReactNode;
  tabs?: ReactNode;
  /** `fill`: the content takes exactly the height that is left and scrolls inside itself. */
  layout?: 'scroll' | 'fill';
  /** False for pages that are not worth returning to, such as an error. */
  canBookmark?: boolean;
  children: ReactNode;
}

export function Page({
  title,
  isCode = false,
  badge,
  breadcrumb = [],
  actions,
  tabs,
  layout = 'scroll',
  canBookmark = true,
  children,
}: PageProps) {
  const { leading, trailing, titleSuffix, star } = use(ChromeContext);
  const parent = textOf(breadcrumb.at(-1));

  useEffect(() => {
    document.title = titleSuffix ? `${title} | ${titleSuffix}` : title;
  }, [title, titleSuffix]);

  return (
    <div className={styles.page}>
      <header className={styles.header} data-tabs={tabs ? true : undefined}>
        <div className={styles.bar}>
          {leading}
          <div className={styles.heading}>
            {breadcrumb.length > 0 && (
              <div className={styles.breadcrumb}>
                {breadcrumb.map((crumb, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: crumbs have no identity besides their place.
                  <Fragment key={index}>
                    {index > 0 && <span aria-hidden="true">/</span>}
                    {crumb}
                  </Fragment>
                ))}
              </div>
            )}
            <div className={styles.title}>
              <h1 data-code={isCode || undefined} title={title}>
                {title}
              </h1>
              {badge}
              {canBookmark && star?.(parent ? `${parent}: ${title}` : title)}
            </div>
          </div>
          <div className={styles.trailing}>{trailing}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
        {tabs}
      </header>
      <div className={styles.content} data-layout={layout}>
        {children}
      </div>
    </div>
  );
}

/** The words that a node would show. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
