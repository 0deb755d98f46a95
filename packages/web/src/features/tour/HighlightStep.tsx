import { Button, Portal } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { placeCard } from './placeCard.ts';
import type { TourStep } from './steps.ts';
import styles from './Tour.module.css';
import { lastStep } from './tourState.ts';
import { useTarget } from './useTarget.ts';
import type { TourMoves } from './useTourMoves.ts';

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
  useGoOnByClick(step, moves);
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

/** Listens on the document, because the target may be drawn again at any time. */
function useGoOnByClick({ target, params }: TourStep, moves: TourMoves): void {
  const goOn = useEffectEvent(() => moves.next());
  useEffect(() => {
    if (params.goesOn !== 'click') return;
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest(target)) goOn();
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [target, params]);
}
