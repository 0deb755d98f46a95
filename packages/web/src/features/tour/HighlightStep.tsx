import { Button, Portal } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { stepDelayMs, steps, type TourMoves, type TourStep } from './steps.ts';
import styles from './Tour.module.css';
import { lastStep } from './tourState.ts';

interface HighlightStepProps {
  step: TourStep;
  index: number;
  moves: TourMoves;
}

/** Dims everything but the target and explains it. The target itself can be used. */
export function HighlightStep({ step, index, moves }: HighlightStepProps) {
  const { t } = useTranslation();
  const box = useTarget(step);
  const isLast = index === lastStep;
  const hasNext = step.params.goesOn === 'button';
  useAdvanceOnClick(index, moves);
  // In a field the arrows move the caret; Escape leaves the tour from there too.
  useHotkeys([['Escape', isLast ? moves.finish : moves.skip]], []);
  useHotkeys(
    [
      ['ArrowLeft', () => !isLast && moves.previous()],
      ['ArrowRight', () => !isLast && hasNext && moves.next()],
    ],
    ['INPUT', 'TEXTAREA'],
  );
  if (!box) return null;

  const frame = {
    left: box.left - step.offsetPx,
    top: box.top - step.offsetPx,
    width: box.width + 2 * step.offsetPx,
    height: box.height + 2 * step.offsetPx,
  };
  return (
    <Portal>
      {step.highlightElement && (
        <div
          className={styles.frame}
          style={frame}
          data-target={step.target}
          data-dims={step.params.dims || undefined}
          aria-hidden="true"
        />
      )}
      <div
        className={styles.note}
        style={placeCard(frame, step.params.side)}
        role="dialog"
        aria-labelledby="tour-title"
      >
        <h2 id="tour-title">{t(`tour.${step.title}.title`)}</h2>
        <p>{t(`tour.${step.title}.text`)}</p>
        <div className={styles.noteFoot}>
          <span className={styles.count}>
            {index + 1} / {lastStep + 1}
          </span>
          {isLast ? (
            <>
              <Button size="xs" variant="default" onClick={moves.explore}>
                {t('tour.explore')}
              </Button>
              <Button size="xs" onClick={moves.finish}>
                {t('tour.finish')}
              </Button>
            </>
          ) : (
            <>
              <Button size="xs" variant="subtle" color="gray" onClick={moves.skip}>
                {t('tour.skip')}
              </Button>
              <Button size="xs" variant="default" onClick={moves.previous}>
                {t('tour.previous')}
              </Button>
              {hasNext && (
                <Button size="xs" onClick={moves.next}>
                  {t('tour.next')}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </Portal>
  );
}

/**
 * A click that a step asks for advances the tour, also when the user is ahead of it. Listens on the document, because
 * the target may be drawn again at any time.
 */
function useAdvanceOnClick(index: number, moves: TourMoves): void {
  const advance = useEffectEvent((target: Element) => {
    const clicked = Object.entries(steps).find(
      ([at, { target: wanted, params }]) =>
        Number(at) >= index && params.goesOn === 'click' && target.closest(wanted),
    );
    if (!clicked) return;
    for (let at = index; at <= Number(clicked[0]); at += 1) moves.next();
  });
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => target instanceof Element && advance(target);
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const cardPx = { width: 360, height: 200 };
const gapPx = 14;

type Side = TourStep['params']['side'];

/**
 * Beside the frame, on the wanted side or on another one with room: on a narrow screen the card stands below or above.
 * Over the frame when there is no room on any side.
 */
export function placeCard(
  frame: Frame,
  side: Side,
  page: { width: number; height: number } = { width: window.innerWidth, height: window.innerHeight },
): { left: number; top: number } {
  const middle = frame.left + frame.width / 2 - cardPx.width / 2;
  const places: Readonly<Record<Side, { left: number; top: number }>> = {
    right: { left: frame.left + frame.width + gapPx, top: frame.top + 40 },
    left: { left: frame.left - cardPx.width - gapPx, top: frame.top + 40 },
    bottom: { left: middle, top: frame.top + frame.height + gapPx },
    top: { left: middle, top: frame.top - cardPx.height - gapPx },
  };
  const last = { left: page.width - cardPx.width - edgePx, top: page.height - cardPx.height - edgePx };
  const hasRoom = (one: Side) =>
    one === 'left' || one === 'right'
      ? places[one].left === within(places[one].left, last.left)
      : places[one].top === within(places[one].top, last.top);
  const chosen = ([side, 'bottom', 'top', 'right', 'left'] as const).find(hasRoom) ?? side;
  return { left: within(places[chosen].left, last.left), top: within(places[chosen].top, last.top) };
}

const edgePx = 12;
const within = (value: number, max: number): number => Math.max(edgePx, Math.min(value, max));

const pollIntervalMs = 100;

/** The place of a step's target on the screen, as long as it is there. Pages load lazily, so it is looked for. */
function useTarget(step: TourStep): DOMRect | undefined {
  const [found, setFound] = useState<{ step: TourStep; box: DOMRect }>();
  useEffect(() => {
    let stopScrolling = () => {};
    let seen: Element | undefined;
    const look = () => {
      const element = document.querySelector(step.target) ?? undefined;
      if (element && element !== seen) stopScrolling = scrollTo(element, step.durationMs);
      seen = element;
      const box = element?.getBoundingClientRect();
      setFound((old) => (box && isSame(old?.box, box) && old?.step === step ? old : box && { step, box }));
    };
    let timer: ReturnType<typeof setInterval>;
    const delay = setTimeout(() => {
      look();
      timer = setInterval(look, pollIntervalMs);
    }, stepDelayMs);
    return () => {
      clearTimeout(delay);
      clearInterval(timer);
      stopScrolling();
    };
  }, [step]);
  return found?.step === step ? found.box : undefined;
}

const isSame = (a: DOMRect | undefined, b: DOMRect): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** Brings an element into view over a time, in the nearest part of the page that scrolls. */
export function scrollTo(element: Element, durationMs: number): () => void {
  const scroller = scrollingParent(element);
  const view = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  if (box.top >= view.top && box.bottom <= view.bottom) return () => {};
  const from = scroller.scrollTop;
  const distance = box.top - view.top - Math.max(0, (view.height - box.height) / 2);
  const startedAt = performance.now();
  let frame = 0;
  const move = (now: number) => {
    const part = durationMs === 0 ? 1 : Math.min(1, (now - startedAt) / durationMs);
    scroller.scrollTop = from + distance * (1 - (1 - part) ** 3);
    if (part < 1) frame = requestAnimationFrame(move);
  };
  frame = requestAnimationFrame(move);
  return () => cancelAnimationFrame(frame);
}

function scrollingParent(element: Element): Element {
  for (let one = element.parentElement; one; one = one.parentElement)
    // `hidden` too: the tour keeps the reader from scrolling, not itself.
    if (one.scrollHeight > one.clientHeight && /auto|scroll|hidden/.test(getComputedStyle(one).overflowY))
      return one;
  return document.documentElement;
}
