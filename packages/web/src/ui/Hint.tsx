import type { TooltipProps } from '@mantine/core';
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { OptionalPart } from './ErrorBoundary.tsx';
import { lazyPart } from './lazyPart.tsx';

const Bubble = lazyPart(() => import('./HintBubble.tsx'), 'HintBubble');

/** Long enough to cross something on the way elsewhere. */
const delayMs = 250;

type Props = Record<string, unknown>;

interface HintProps extends Pick<TooltipProps, 'position' | 'multiline' | 'maw'> {
  /** The words, or how they are found when they are wanted. */
  label: ReactNode | (() => ReactNode);
  disabled?: boolean;
  children: ReactElement<Props>;
}

/**
 * Words that appear beside something while the pointer rests on it or the keyboard has come to it. A page has hundreds of
 * these and shows one: until then each is four listeners, and what draws the bubble is not even loaded. What an element
 * around it gives to its child is handed on.
 */
export function Hint({ label, position, multiline, maw, disabled = false, children, ...given }: HintProps) {
  const [target, setTarget] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (disabled) return cloneElement(children, given);
  const open = ({ currentTarget, pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    if (pointerType === 'touch') return;
    timer.current = setTimeout(() => setTarget(currentTarget), delayMs);
  };
  const openAtOnce = ({ currentTarget }: FocusEvent) => {
    if (currentTarget.matches(':focus-visible')) setTarget(currentTarget);
  };
  const close = () => {
    clearTimeout(timer.current);
    setTarget(undefined);
  };
  return (
    <>
      {cloneElement(children, {
        ...given,
        onPointerEnter: open,
        onPointerLeave: close,
        onFocus: openAtOnce,
        onBlur: close,
      })}
      {target && (
        <OptionalPart>
          <Suspense>
            <Bubble
              target={target}
              label={typeof label === 'function' ? label() : label}
              onClose={close}
              {...(position && { position })}
              {...(multiline && { multiline })}
              {...(maw !== undefined && { maw })}
            />
          </Suspense>
        </OptionalPart>
      )}
    </>
  );
}
