/** The large part of the code editor never arrives: it needs a real browser. */
export const loadMonaco = (): Promise<never> => new Promise(() => {});

export const loadedMonaco = (): undefined => undefined;

export const preloadMonaco = (): void => {};
