const maxPiece = 10_000;

/** A long message as several entries; nothing is cut off. Pieces end at a line break where one is near. */
export function splitMessage(message: string): string[] {
  if (message.length <= maxPiece) return [message];
  const pieces: string[] = [];
  for (let start = 0; start < message.length; ) {
    let end = Math.min(start + maxPiece, message.length);
    if (end < message.length) {
      const lineBreak = message.lastIndexOf('\n', end);
      if (lineBreak > start + maxPiece / 2) end = lineBreak + 1;
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
