import * as React from 'react';

/**
 * React's development build captures a stack trace for every element, up to a number of them per second, to show it in
 * DevTools. Without it the tests take a tenth less time; warnings still name their component.
 */
export function captureNoOwnerStacks(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
    // The types of React leave out its internals.
    React as unknown as Readonly<Record<string, object | undefined>>;
  if (internals)
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
      configurable: true,
      get: () => Number.POSITIVE_INFINITY,
      set: () => {},
    });
}
