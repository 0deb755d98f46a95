import { Tooltip, type TooltipProps } from '@mantine/core';
import { useEffect, useId, useMemo } from 'react';

interface HintBubbleProps extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'maw'> {
  target: Element;
  onClose: () => void;
}

export function HintBubble({ target, onClose, label, ...bubble }: HintBubbleProps) {
  const id = useId();
  // By reference: the target may be an SVG element, which Mantine ignores otherwise.
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
  // Mantine gives the bubble its own id.
  return <Tooltip opened target={reference} label={<span id={id}>{label}</span>} {...bubble} />;
}
