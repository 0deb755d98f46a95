import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/** A component whose module loads when it is first rendered, or earlier with `load`. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  load(): Promise<unknown>;
}

type PropsOf<Component> = Component extends ComponentType<infer Props extends object> ? Props : never;

/**
 * Like React's `lazy`, but a module that is already loaded renders at once: `lazy` always suspends first, and React
 * shows a fallback for at least 300 ms. With a placeholder, the part brings its own `Suspense`.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  Placeholder?: ComponentType<PropsOf<Module[Name]>>,
): LazyPart<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>;
  let loaded: ComponentType<Props> | undefined;
  const take = async () => {
    // `as`: a name whose export is no component has no props, so nothing could render it.
    loaded ??= (await load())[name] as ComponentType<Props>;
    return loaded;
  };
  // `as`: the lazy component takes the props of the loaded one.
  const Later = lazy(async () => ({ default: await take() })) as unknown as ComponentType<Props>;
  function Part(props: Props) {
    // Chosen once: React would mount another component from scratch.
    const [Chosen] = useState(() => loaded ?? Later);
    const part = <Chosen {...props} />;
    return Placeholder ? <Suspense fallback={<Placeholder {...props} />}>{part}</Suspense> : part;
  }
  return Object.assign(Part, { load: take });
}

/** The placeholder of a dialog: the page behind it stays as it is while the dialog loads. */
export const Nothing = (): ReactNode => null;

/** How long a page waits for its main content before it renders without it; two renderings take longer than one. */
const soonMs = 200;

/** Resolves when all are settled, or after `soonMs`; the component that shows a result reports its failure. */
export const settleBriefly = (...wanted: Promise<unknown>[]): Promise<unknown> =>
  Promise.race([Promise.allSettled(wanted), new Promise((resolve) => setTimeout(resolve, soonMs))]);
