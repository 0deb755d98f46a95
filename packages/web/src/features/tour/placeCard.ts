interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const cardPx = { width: 360, height: 200 };
const gapPx = 14;

/** Beside the frame on the wanted side, always inside the window; over the frame when there is no other room. */
export function placeCard(
  frame: Frame,
  side: 'left' | 'right' | 'top' | 'bottom',
): { left: number; top: number } {
  const wanted = {
    right: { left: frame.left + frame.width + gapPx, top: frame.top + 40 },
    left: { left: frame.left - cardPx.width - gapPx, top: frame.top + 40 },
    bottom: { left: frame.left + frame.width / 2 - cardPx.width / 2, top: frame.top + frame.height + gapPx },
    top: { left: frame.left + frame.width / 2 - cardPx.width / 2, top: frame.top - cardPx.height - gapPx },
  }[side];
  return {
    left: within(wanted.left, window.innerWidth - cardPx.width - 12),
    top: within(wanted.top, window.innerHeight - cardPx.height - 12),
  };
}

const within = (value: number, max: number): number => Math.max(12, Math.min(value, max));
