import { type RefObject, useLayoutEffect, useState } from 'react';

/*
 * The first save of a new flow replaces its page by the page of the flow while the author works on. The editor of the
 * second page continues the first: with the same form open, the same way back, and the focus in the same field.
 */

/** The page that is about to open; undefined once it has. */
let announced: string | undefined;
const states = new Map<string, unknown>();
let focused: FocusPlace | undefined;

/** Call before the page with this key opens in the place of the present one. */
export function announcePage(page: string): void {
  announced = page;
}

/** State that the page of this key takes over from the page before; a page without a key only leaves it. */
export function useContinuedState<T>(name: string, page: string | undefined, initial: T) {
  const state = useState<T>(() =>
    // `as`: the same name is always used with the same type.
    page !== undefined && page === announced && states.has(name) ? (states.get(name) as T) : initial,
  );
  const [value] = state;
  // Noted at each change: the next page renders before this one leaves.
  useLayoutEffect(() => {
    states.set(name, value);
  }, [name, value]);
  return state;
}

/** The focus inside an element returns to the same field of the page that continues it. */
export function useContinuedFocus(root: RefObject<HTMLElement | null>, page: string | undefined): void {
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    let stop = () => {};
    if (page !== undefined && page === announced) {
      announced = undefined;
      if (focused) stop = restoreFocus(element, focused);
      focused = undefined;
    }
    return () => {
      stop();
      focused = announced === undefined ? undefined : readFocus(element);
    };
  }, [root, page]);
}

/** A field of a form by its path, or a node of the graph by its id; the control inside it, the cursor and the scrolling. */
interface FocusPlace {
  readonly holder: string;
  /** -1 is the holder itself. */
  readonly control: number;
  readonly selection: readonly [number, number] | undefined;
  /** Of the elements around the holder, inner ones first. */
  readonly scrolled: readonly number[];
}

const controls = 'input, textarea, select, button, [tabindex]';

function readFocus(root: HTMLElement): FocusPlace | undefined {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !root.contains(active)) return undefined;
  const holder = active.closest<HTMLElement>('[data-field], [data-id]');
  if (!holder) return undefined;
  const name = holder.dataset.field === undefined ? 'data-id' : 'data-field';
  const isText = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  const { selectionStart: start = null, selectionEnd: end = null } = isText ? active : {};
  return {
    holder: `[${name}=${JSON.stringify(holder.getAttribute(name))}]`,
    control: [...holder.querySelectorAll(controls)].indexOf(active),
    selection: start === null || end === null ? undefined : [start, end],
    scrolled: around(holder, root).map(({ scrollTop }) => scrollTop),
  };
}

/** The graph arrives a moment after its page. */
const waitMs = 3_000;

function restoreFocus(root: HTMLElement, place: FocusPlace): () => void {
  const isFree = () => document.activeElement === null || document.activeElement === document.body;
  const focus = (): boolean => {
    const holder = root.querySelector<HTMLElement>(place.holder);
    const control =
      place.control < 0 ? holder : holder?.querySelectorAll<HTMLElement>(controls)[place.control];
    if (!holder || !control) return false;
    for (const [index, element] of around(holder, root).entries()) {
      const top = place.scrolled[index] ?? 0;
      if (top > 0) element.scrollTop = top;
    }
    control.focus({ preventScroll: true });
    if (place.selection && (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement))
      control.setSelectionRange(...place.selection);
    return true;
  };
  if (focus()) return () => {};
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const observer = new MutationObserver(() => {
    if (!isFree() || focus()) stop();
  });
  const timer = setTimeout(stop, waitMs);
  observer.observe(root, { childList: true, subtree: true });
  return stop;
}

function around(element: HTMLElement, root: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let next = element.parentElement; next && next !== root; next = next.parentElement) found.push(next);
  return found;
}
