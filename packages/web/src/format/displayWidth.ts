/** How many letters' room a text takes: those of East Asian scripts are about twice as wide. */
export const displayWidth = (text: string): number =>
  [...text].reduce((count, letter) => count + (letter >= '\u2e80' ? 2 : 1), 0);
