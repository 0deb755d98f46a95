/** A 24 × 24 line icon from the paths of its strokes, drawn in the house style. */
export const lineIcon = (...paths: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="#5b6b8c" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${paths
    .map((d) => `<path d="${d}"/>`)
    .join('')}</svg>`;
