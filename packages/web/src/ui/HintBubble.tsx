import { Tooltip, type TooltipProps } from '@mantine/core';
import { useEffect, useId, useMemo } from 'react';

interface HintBubbleProps extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'maw'> {
  target: Element;
  onClose: () => void;
}

export function HintBubble({ target, onClose, label, ...bubble }: HintBubbleProps) {
  const id = useId();
  // By reference: an element of its own may be a drawing, which is taken for nothing otherwise.
  const reference = useMemo(() => ({ current: target as HTMLElement }), [target]);
  useEffect(() => {
    const before = target.getAttribute('aria-describedby');
    target.setAttribute('aria-describedby', id);
    return () => {
      if (before === null) target.removeAttribute('aria-describedby');
      else target.setAttribute('aria-describedby', before);
    };
  }, [target, id]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  // Mantine gives the bubble an id of its own.
  return <Tooltip opened target={reference} label={<span id={id}>{label}</span>} {...bubble} />;
}
