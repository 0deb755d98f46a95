import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

/** A component whose module loads when it is first rendered, or earlier with `load`. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  load(): Promise<unknown>;
}

type PropsOf<Component> = Component extends ComponentType<infer Props extends object> ? Props : never;

/**
 * Like React's `lazy`, but a module that is already loaded renders at once: `lazy` always suspends first. With a
 * placeholder, the part renders as soon as its module has arrived: React shows the fallback of a `lazy` component for at
 * least 300 ms, in which a user who types into a dialog that opens loses the first letters.
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
  const source = { take, loaded: () => loaded };
  return Object.assign(Placeholder ? withPlaceholder(source, Placeholder) : suspending(source), {
    load: take,
  });
}

interface Source<Props> {
  take(): Promise<ComponentType<Props>>;
  loaded(): ComponentType<Props> | undefined;
}

function withPlaceholder<Props extends object>(
  { take, loaded }: Source<Props>,
  Placeholder: ComponentType<Props>,
) {
  return function Part(props: Props) {
    const [{ Loaded, arriving }, setPart] = useState<{
      Loaded?: ComponentType<Props> | undefined;
      arriving?: Promise<ComponentType<Props>>;
    }>(() => (loaded() ? { Loaded: loaded() } : { arriving: take() }));
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      let isGone = false;
      arriving?.then(
        (Arrived) => !isGone && setPart({ Loaded: Arrived }),
        (error: unknown) => !isGone && setFailure({ error }),
      );
      return () => {
        isGone = true;
      };
    }, [arriving]);
    if (failure) throw failure.error;
    const placeholder = <Placeholder {...props} />;
    if (!Loaded) return placeholder;
    return (
      <Suspense fallback={placeholder}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

function suspending<Props extends object>({ take, loaded }: Source<Props>) {
  let later: ComponentType<Props> | undefined;
  const makeLater = () =>
    // `as`: the lazy component takes the props of the loaded one.
    lazy(async () => {
      try {
        return { default: await take() };
      } catch (error) {
        failed.add(() => {
          later = undefined;
        });
        throw error;
      }
    }) as unknown as ComponentType<Props>;
  const takeLater = () => {
    later ??= makeLater();
    return later;
  };
  return function Part(props: Props) {
    // Chosen once: React would mount another component from scratch.
    const [Chosen] = useState(() => loaded() ?? takeLater());
    return <Chosen {...props} />;
  };
}

/** React keeps the failure of a part; these make it load again. */
const failed = new Set<() => void>();

/** Parts that could not load, as without a connection, load again when they are rendered next. */
export function retryFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
  for (const link of lostStyles) link.replaceWith(link.cloneNode());
  lostStyles.clear();
}

/** The loader of modules requests each style sheet once, also one that did not arrive. */
const lostStyles = new Set<HTMLLinkElement>();
// Parts of pages are also read where there is no window, as in the tests of their logic.
globalThis.window?.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) lostStyles.add(target);
  },
  true,
);

/** The placeholder of a dialog: the page behind it stays as it is while the dialog loads. */
export const Nothing = (): ReactNode => null;

/** How long a page waits for its main content before it renders without it; two renderings take longer than one. */
const soonMs = 200;

/** Resolves when all are settled, or after `soonMs`; the component that shows a result reports its failure. */
export const settleBriefly = (...wanted: Promise<unknown>[]): Promise<unknown> =>
  Promise.race([Promise.allSettled(wanted), new Promise((resolve) => setTimeout(resolve, soonMs))]);
