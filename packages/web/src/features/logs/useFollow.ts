import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';

interface Followed {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly count: number;
  readonly follow: boolean;
}

const NEAR_END_PX = 30;

/** Stays at the end while lines arrive; scrolling up lets go, reaching the end takes hold again. */
export function useFollow({ scroller, virtualizer, count, follow }: Followed) {
  const [isFollowing, setFollowing] = useState(true);
  const [seen, setSeen] = useState(count);
  const lastTop = useRef(0);

  useEffect(() => {
    if (follow && isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [count, follow, isFollowing, virtualizer]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const goesUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    if (isAtEnd) setFollowing(true);
    else if (goesUp && isFollowing) {
      setFollowing(false);
      setSeen(count);
    }
  };
  const jumpToEnd = () => {
    setFollowing(true);
    virtualizer.scrollToIndex(count - 1, { align: 'end' });
  };
  return { isFollowing, unseen: isFollowing ? 0 : Math.max(0, count - seen), jumpToEnd, onScroll };
}
