import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from '../../../ui/Loading.tsx';
import type { WidgetName } from '../toWidgets.ts';
import { Alert } from './Alert.tsx';
import { ChildCards } from './ChildCards.tsx';
import { ChildToc } from './ChildToc.tsx';
import { LogoPack } from './LogoPack.tsx';
import { ReleaseList } from './ReleaseList.tsx';

const ApiViewer = lazy(() => import('./ApiViewer.tsx').then((module) => ({ default: module.ApiViewer })));

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
