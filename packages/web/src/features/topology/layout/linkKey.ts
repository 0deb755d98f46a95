/** The name of a link inside its scope. */
export const linkKey = (source: string, target: string): string => `${source}>${target}`;
