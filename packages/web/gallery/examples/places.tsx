import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ApiError } from '../../src/api/ApiError.ts';
import { CardError } from '../../src/ui/Card.tsx';
import { BrokenFile } from '../../src/ui/ErrorBoundary.tsx';
import { ImportButton } from '../../src/ui/ImportButton.tsx';
import {
  BrokenPart,
  Card,
  DotsPlaceholder,
  EmptyState,
  ErrorBoundary,
  Fact,
  Facts,
  LinkButton,
  Loading,
  Page,
  PageChrome,
  SplitPane,
  StatePill,
  TabBar,
} from '../../src/ui/index.ts';
import { Skeleton, SkeletonList } from '../../src/ui/Loading.tsx';
import { LinkMenuItem } from '../../src/ui/menu/LinkMenuItem.tsx';
import { Illustration, type IllustrationName, illustrationNames } from '../../src/ui/page/EmptyState.tsx';
import { EnterpriseLock, Upsell } from '../../src/ui/page/Upsell.tsx';
import { rowOf } from '../../src/ui/panels/layout.ts';
import { Panels } from '../../src/ui/panels/Panels.tsx';
import { usePanelLayout } from '../../src/ui/panels/usePanelLayout.ts';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const nothing = () => {};
const here = { to: '/{-$tenant}/flows', search: {} } as const;

const missingFile = new ApiError({ method: 'GET', url: '/file' }, 404, undefined);

function Breaks(): never {
  throw new Error('A part that breaks while it is drawn');
}

const panelIds = ['a', 'b', 'c'];
function GalleryPanels() {
  const layout = usePanelLayout({ name: 'gallery', panels: panelIds, initial: rowOf(['a', 'b']) });
  return (
    <Panels
      layout={layout}
      panels={panelIds.map((id) => ({ id, title: `Panel ${id}`, content: <p>{id}</p> }))}
    />
  );
}

export const places: readonly GalleryExample[] = [
  {
    name: 'Page with everything: breadcrumb, code title, badge, tabs, actions',
    show: () => (
      <PageChrome trailing={<Button variant="default">Jump to…</Button>}>
        <Page
          title="nightly-report"
          isCode
          badge={<StatePill state="FAILED" />}
          breadcrumb={['Flows', 'shop.orders']}
          canBookmark={false}
          tabs={
            <TabBar
              label="Tabs"
              active="logs"
              items={['overview', 'gantt', 'logs'].map((id) => ({ id, label: id, link: here }))}
            />
          }
          actions={
            <>
              <ImportButton onImport={async () => {}} />
              <LinkButton {...here} leftSection={<IconPlus size={16} />}>
                Create
              </LinkButton>
            </>
          }
        >
          <p>The content of the page.</p>
        </Page>
      </PageChrome>
    ),
  },
  {
    name: 'Card with facts',
    show: () => (
      <Card title="A part of a page">
        <Facts>
          <Fact name="Namespace">shop.orders</Fact>
          <Fact name="Revision">3</Fact>
        </Facts>
      </Card>
    ),
  },
  {
    name: 'EmptyState with an action',
    show: () => (
      <EmptyState
        illustration="wheel"
        title="No flows yet"
        text="A flow is a list of tasks."
        action={<Button>Create flow</Button>}
      />
    ),
  },
  {
    name: 'Illustration: all of them',
    show: () => (
      <div className={styles.row}>
        {illustrationNames.map((name: IllustrationName) => (
          <Illustration key={name} name={name} />
        ))}
      </div>
    ),
  },
  {
    name: 'BrokenPart, as a list shows it when its call fails',
    show: () => <BrokenPart error={new Error('The database is locked: try again')} onRetry={nothing} />,
  },
  {
    name: 'CardError, with and without a retry button',
    show: () => (
      <>
        <CardError message="The database is locked: try again" onRetry={nothing} />
        <CardError message="There is no column “total” in this chart" />
      </>
    ),
  },
  {
    name: 'ErrorBoundary around what breaks',
    show: () => (
      <ErrorBoundary>
        <Breaks />
      </ErrorBoundary>
    ),
  },
  { name: 'EnterpriseLock', show: () => <EnterpriseLock /> },
  { name: 'Upsell', show: () => <Upsell title="Audit logs" text="Who did what, and when." /> },
  { name: 'Loading', show: () => <Loading /> },
  {
    name: 'Skeleton: one line, a list',
    show: () => (
      <>
        <Skeleton width={180} />
        <SkeletonList rows={4} rowHeight={36} />
      </>
    ),
  },
  {
    name: 'BrokenFile: not there, not readable',
    show: () => (
      <>
        <BrokenFile error={missingFile} onRetry={nothing} />
        <BrokenFile error={new Error('The storage cannot be reached')} onRetry={nothing} />
      </>
    ),
  },
  {
    name: 'DotsPlaceholder; LinkMenuItem',
    show: () => (
      <div className={styles.row}>
        <DotsPlaceholder />
        <DotsPlaceholder framed />
        <Menu>
          <Menu.Target>
            <Button variant="default">Menu</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <LinkMenuItem {...here}>A link</LinkMenuItem>
          </Menu.Dropdown>
        </Menu>
      </div>
    ),
  },
  {
    name: 'Panels',
    show: () => (
      <div className={styles.tall}>
        <GalleryPanels />
      </div>
    ),
  },
  {
    name: 'SplitPane',
    show: () => (
      <div className={styles.tall}>
        <SplitPane name="gallery" start={<p>Left</p>} end={<p>Right</p>} />
      </div>
    ),
  },
];
