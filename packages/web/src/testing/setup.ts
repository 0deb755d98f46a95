import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { resetActivity } from '../api/activity.ts';
import { startI18n } from '../i18n/i18n.ts';
import { closePanel } from '../shell/context/contextState.ts';
import { theme } from '../theme/theme.ts';
import { flowEditor } from './doubles/FlowEditor.tsx';
import { simplifyStyles } from './lightStyles.ts';
import { captureNoOwnerStacks } from './noOwnerStacks.ts';
import { closeRouters } from './openRouters.ts';

// What jsdom lacks and Mantine asks for.
class QuietObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// Pages load lazily, and a busy machine takes its time to transform them. Texts are searched in every element: matching each
// of them with a selector for scripts and styles takes longer than the search.
// `as`: the search accepts `false` for no selector; an empty one breaks the message of a query that finds nothing.
configure({ asyncUtilTimeout: 90_000, defaultIgnore: false as unknown as string });

simplifyStyles();
captureNoOwnerStacks();
await startI18n();

// Without a layout everything counts as scrolled out of sight, and a menu hides as soon as that is computed.
theme.components = { ...theme.components, Popover: { defaultProps: { hideDetached: false } } };

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', QuietObserver);
  vi.stubGlobal('IntersectionObserver', QuietObserver);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));
  vi.stubGlobal('CSS', { escape: (text: string) => text, supports: () => false });
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
  // Mantine waits for web fonts before it measures; jsdom has no document.fonts.
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { addEventListener: () => {}, removeEventListener: () => {}, ready: Promise.resolve() },
  });
});

afterEach(async () => {
  cleanup();
  closeRouters();
  // Parts that load lazily must not arrive after the page is gone.
  await vi.dynamicImportSettled();
  closePanel();
  // A request that a test leaves open must not count in the tests that follow in this worker.
  resetActivity();
  flowEditor.isReal = false;
  flowEditor.issues = undefined;
  // Toasts outlive the page that shows them.
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
