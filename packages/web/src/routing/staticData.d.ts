import '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What surrounds the page: `default` has the sidebar and the context bar, `menu` no context bar, `full` nothing. */
    layout?: 'default' | 'menu' | 'full';
    /** The documentation page of this screen, when it is not named like the last segment of its path. */
    docId?: string;
  }
}
