import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconExternalLink, IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { DocBody } from './DocBody.tsx';
import { type DocPlace, DocPlaceProvider } from './DocContext.tsx';
import { DocMenu, DocSearch } from './DocMenu.tsx';
import styles from './DocsPanel.module.css';
import { docOfScreenQuery, docPageQuery } from './queries.ts';

interface DocsPanelProps {
  version: string;
  /** The screen beside the panel. */
  docId: string | undefined;
  /** The page that was asked for, `path#heading`; without one, the page about the screen, else the first page. */
  path: string | undefined;
  onOpen: (path: string | undefined) => void;
  classNames: { head: string; body: string };
}

/** The documentation beside a page. Links change what the panel shows, never the address. */
export function DocsPanel({ version, docId, path, onOpen, classNames }: DocsPanelProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const [asked, heading] = path?.split('#') ?? [];
  const { data: page, error } = useDoc(version, asked, docId);
  const [seen, setSeen] = useState<readonly (string | undefined)[]>([]);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const body = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts at its top.
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0;
  }, [page?.path]);

  const open = (next: string) => {
    setSeen([...seen, path]);
    setMenuOpen(false);
    onOpen(next);
  };
  const back = () => {
    onOpen(seen.at(-1));
    setSeen(seen.slice(0, -1));
  };
  const hrefOf = (target: string, hash = '') =>
    router.buildLocation({
      to: '/{-$tenant}/docs/$',
      params: { _splat: target },
      search: {},
      ...(hash && { hash }),
    }).publicHref;
  const place: DocPlace = {
    version,
    page: page ?? { path: '', isIndex: true },
    link: ({ path: target, hash, children, className }) => (
      <a
        href={hrefOf(target, hash)}
        className={className}
        onClick={(event) => {
          // With a key held the browser opens the address, as it would any other.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          open(hash ? `${target}#${hash}` : target);
        }}
      >
        {children}
      </a>
    ),
  };

  return (
    <DocPlaceProvider value={place}>
      <div className={classNames.head}>
        {seen.length > 0 && (
          <ActionIcon onClick={back} aria-label={t('docs.back')}>
            <IconArrowLeft size={16} stroke={1.8} />
          </ActionIcon>
        )}
        <h2>{page?.title ?? t('context.docs')}</h2>
        <Hint label={t('docs.openPage')}>
          <ActionIcon
            component="a"
            href={hrefOf(page?.path ?? '')}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('docs.openPage')}
          >
            <IconExternalLink size={16} stroke={1.8} />
          </ActionIcon>
        </Hint>
      </div>
      <div ref={body} className={classNames.body}>
        <DocSearch>
          <Button
            variant="default"
            size="xs"
            className={styles.menuButton}
            leftSection={<IconMenu2 size={14} stroke={1.8} />}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {t('docs.menu')}
          </Button>
          {isMenuOpen && (
            <div className={styles.menu}>
              <DocMenu />
            </div>
          )}
          {page && <DocBody page={page} at={heading} />}
          {!page && !error && <Loading />}
          {error && <EmptyState illustration="dryRace" title={t('docs.gone')} detail={error.message} />}
        </DocSearch>
      </div>
    </DocPlaceProvider>
  );
}

/** The page that was asked for, or the one about the screen, or the first. */
function useDoc(version: string, path: string | undefined, docId: string | undefined) {
  const bySearch = path === undefined && docId !== undefined;
  const ofScreen = useQuery({ ...docOfScreenQuery(version, docId ?? ''), enabled: bySearch });
  const hasNone = !bySearch || ofScreen.data === null || ofScreen.isError;
  const byPath = useQuery({ ...docPageQuery(version, path ?? ''), enabled: hasNone });
  return hasNone ? byPath : { data: ofScreen.data ?? undefined, error: null };
}
