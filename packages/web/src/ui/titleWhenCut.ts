import type { PointerEvent } from 'react';

/** Text that its cell or itself cuts off says all of itself under the pointer. Given to the table around the cells. */
export function titleWhenCut({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || target.childElementCount > 0 || target.closest('[title]')) return;
  const isCut = [target, target.closest('td')].some(
    (place) => place && place.scrollWidth > place.clientWidth,
  );
  if (isCut) target.title = target.textContent ?? '';
}
