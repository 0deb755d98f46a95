const maxPiece = 10_000;

/** A long message as several entries; nothing is cut off. Pieces end at a line break where one is near. */
export function splitMessage(message: string): string[] {
  if (message.length <= maxPiece) return [message];
  const pieces: string[] = [];
  for (let start = 0; start < message.length; ) {
    let end = Math.min(start + maxPiece, message.length);
    if (end < message.length) {
      // Only in the second half of the piece: searching the whole text for every piece is too slow.
      const half = start + maxPiece / 2;
      const lineBreak = message.slice(half, end).lastIndexOf('\n');
      if (lineBreak >= 0) end = half + lineBreak + 1;
      // A pair of surrogates is one character.
      else if (isHighSurrogate(message.charCodeAt(end - 1))) end--;
    }
    pieces.push(message.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
