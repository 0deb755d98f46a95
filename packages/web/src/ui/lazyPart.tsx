import { type ComponentType, lazy, type ReactNode, useState } from 'react';

/** A part of a page that is loaded when it is first wanted, or sooner by whoever knows that it will be. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  load(): Promise<unknown>;
}

/**
 * As React's `lazy`, but what is there already is drawn at once. `lazy` always begins with a gap, and React keeps a gap
 * that it has shown open for 300 ms.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const take = async () => {
    loaded ??= await load();
    return loaded;
  };
  // `as`: what it is given is what the loaded component takes.
  const Later = lazy(async () => ({ default: await take() })) as unknown as ComponentType<Props>;
  function Part(props: Props) {
    // Chosen once: another component in its place would begin anew.
    const [Chosen] = useState(() => loaded ?? Later);
    return <Chosen {...props} />;
  }
  return Object.assign(Part, { load: take });
}

/** How long a page is held back for what it is mostly made of; drawn with gaps and again it would take longer. */
const soonMs = 200;

/** Ends with the given, or soon; whoever shows it says so when it fails. */
export const untilSoon = (...wanted: Promise<unknown>[]): Promise<unknown> =>
  Promise.race([Promise.allSettled(wanted), new Promise((resolve) => setTimeout(resolve, soonMs))]);
