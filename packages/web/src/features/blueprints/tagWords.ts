/** A tag as words: `getting-started` reads "getting started". */
export const tagWords = (tag: string): string => tag.replaceAll('-', ' ');
