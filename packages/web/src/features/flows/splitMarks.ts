interface Part {
  text: string;
  isMarked: boolean;
}

/** `a [mark]b[/mark] c` as three parts. A mark that never ends is plain text. */
export function splitMarks(fragment: string): Part[] {
  return fragment
    .split(/\[mark\](.*?)\[\/mark\]/s)
    .map((text, index) => ({ text, isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
